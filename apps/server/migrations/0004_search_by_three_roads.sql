DROP INDEX "messages_words";--> statement-breakpoint
CREATE INDEX "messages_words" ON "messages" USING gin ("company_id",to_tsvector('simple', "body")) WITH (gin_pending_list_limit=512);
--> statement-breakpoint
DROP FUNCTION found_tickets(text, text, text, int);
--> statement-breakpoint
-- What a search of tickets finds in the transaction's company, by three roads: contacts by name or number, tickets of
-- those contacts or of that protocol, tickets with a message that holds all the words. Each road stops one past its
-- limit. It runs as its owner, because under a row policy PostgreSQL uses an index only for operators that cannot
-- leak, and those of patterns and words are not among them; so the company is checked here.
CREATE FUNCTION found_tickets(
  words text, name_like text, number_like text, most int, most_messages int,
  OUT contacts int[], OUT their_tickets int[], OUT said_in int[],
  OUT all_contacts boolean, OUT all_theirs boolean, OUT all_said boolean
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
DECLARE
  mine int := current_setting('app.company_id')::int;
  said int[];
BEGIN
  contacts := array(
    SELECT c.id FROM contacts c
    WHERE c.company_id = mine AND (lower(c.name) LIKE name_like OR c.number LIKE number_like)
    LIMIT most + 1);
  their_tickets := array(
    SELECT t.id FROM tickets t WHERE t.company_id = mine AND (t.contact_id = ANY (contacts) OR t.protocol = words)
    LIMIT most + 1);
  said := array(
    SELECT m.ticket_id FROM messages m
    WHERE m.company_id = mine AND to_tsvector('simple', m.body) @@ plainto_tsquery('simple', words)
    LIMIT most_messages + 1);
  said_in := array(SELECT DISTINCT unnest(said));
  all_contacts := cardinality(contacts) <= most;
  all_theirs := cardinality(their_tickets) <= most;
  all_said := cardinality(said) <= most_messages;
END $$;
