CREATE EXTENSION IF NOT EXISTS btree_gin;--> statement-breakpoint
DROP INDEX "tickets_by_queue";--> statement-breakpoint
DROP INDEX "contacts_name_trigrams";--> statement-breakpoint
DROP INDEX "contacts_number_trigrams";--> statement-breakpoint
DROP INDEX "messages_by_ticket";--> statement-breakpoint
DROP INDEX "messages_by_contact";--> statement-breakpoint
DROP INDEX "messages_words";--> statement-breakpoint
DROP INDEX "tickets_by_status";--> statement-breakpoint
DROP INDEX "tickets_by_user";--> statement-breakpoint
DROP INDEX "tickets_by_contact";--> statement-breakpoint
CREATE INDEX "tickets_by_activity" ON "tickets" USING btree ("company_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "contacts_name_trigrams" ON "contacts" USING gin ("company_id",lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_number_trigrams" ON "contacts" USING gin ("company_id","number" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "messages_by_ticket" ON "messages" USING btree ("company_id","ticket_id","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_by_contact" ON "messages" USING btree ("company_id","contact_id","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_words" ON "messages" USING gin ("company_id",to_tsvector('simple', "body"));--> statement-breakpoint
CREATE INDEX "tickets_by_status" ON "tickets" USING btree ("company_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "tickets_by_user" ON "tickets" USING btree ("company_id","user_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "tickets_by_contact" ON "tickets" USING btree ("company_id","contact_id","updated_at");
--> statement-breakpoint
-- Tickets of the transaction's company whose contact (by name or number), protocol or words fit: at most `most` by
-- each road, and whether those are all. It runs as its owner, because under a row policy PostgreSQL uses an index
-- only for operators that cannot leak, and those of texts and words are not among them. The company is checked here.
CREATE FUNCTION found_tickets(sought text, name_like text, number_like text, most int, OUT ids int[], OUT complete boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  WITH company AS MATERIALIZED (SELECT current_setting('app.company_id')::int AS id),
  people AS MATERIALIZED (
    SELECT c.id FROM contacts c
    WHERE c.company_id = (SELECT id FROM company) AND (lower(c.name) LIKE name_like OR c.number LIKE number_like)
    LIMIT most + 1
  ),
  theirs AS MATERIALIZED (
    SELECT t.id FROM people p JOIN tickets t ON t.company_id = (SELECT id FROM company) AND t.contact_id = p.id
    LIMIT most + 1
  ),
  said AS MATERIALIZED (
    SELECT m.ticket_id AS id FROM messages m
    WHERE m.company_id = (SELECT id FROM company) AND to_tsvector('simple', m.body) @@ plainto_tsquery('simple', sought)
    LIMIT most + 1
  ),
  named AS (SELECT t.id FROM tickets t WHERE t.company_id = (SELECT id FROM company) AND t.protocol = sought)
  SELECT array(SELECT id FROM theirs UNION SELECT id FROM said UNION SELECT id FROM named),
    greatest((SELECT count(*) FROM people), (SELECT count(*) FROM theirs), (SELECT count(*) FROM said)) <= most
$$;
