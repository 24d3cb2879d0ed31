CREATE TABLE "cloud_book" (
	"company_id" integer NOT NULL,
	"whatsapp_id" integer NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"name" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cloud_book_company_id_whatsapp_id_kind_value_pk" PRIMARY KEY("company_id","whatsapp_id","kind","value")
);
--> statement-breakpoint
ALTER TABLE "whatsapp_cloud" ADD COLUMN "sign_up" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "username" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "network_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "cloud_book" ADD CONSTRAINT "cloud_book_company_id_whatsapp_id_whatsapps_company_id_id_fk" FOREIGN KEY ("company_id","whatsapp_id") REFERENCES "public"."whatsapps"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The index of usernames is built here where that takes a moment; lateContactIndexes of contacts.table.ts builds it beside the work
-- where there are more contacts.
CREATE FUNCTION index_usernames_of_few() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (SELECT FROM contacts LIMIT 20001) AS few) <= 20000 THEN
    CREATE INDEX contacts_username_trigrams ON contacts USING gin (company_id, username gin_trgm_ops) WHERE username <> '';
  END IF;
END $$;--> statement-breakpoint
SELECT index_usernames_of_few();--> statement-breakpoint
DROP FUNCTION index_usernames_of_few();--> statement-breakpoint
-- As before, but people are also found by their username, with or without its sign.
CREATE OR REPLACE FUNCTION found_contacts(
  words text, number_like text, chosen int[], most int, limited int, OUT ids int[], OUT counted int
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
DECLARE
  wanted text := 'FROM contacts c WHERE c.company_id = $1';
BEGIN
  IF words <> '' THEN
    wanted := wanted || ' AND (folded(c.name) LIKE $2 OR lower(c.email) LIKE $2
      OR c.username <> '''' AND c.username LIKE replace($2, ''%@'', ''%'')'
      || CASE WHEN number_like <> '' THEN ' OR c.number LIKE $3' ELSE '' END || ')';
  END IF;
  IF cardinality(chosen) > 0 THEN
    wanted := wanted || ' AND c.id IN (SELECT k.contact_id FROM contact_categories k
      WHERE k.company_id = $1 AND k.category_id = ANY ($4))';
  END IF;
  EXECUTE 'SELECT array(SELECT c.id ' || wanted || ' LIMIT $5 + 1)' INTO ids
    USING current_setting('app.company_id')::int, words, number_like, chosen, most;
  counted := cardinality(ids);
  IF counted > most THEN
    EXECUTE 'SELECT count(*) FROM (SELECT 1 ' || wanted || ' LIMIT $5) AS those' INTO counted
      USING current_setting('app.company_id')::int, words, number_like, chosen, limited;
  END IF;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION found_tickets(
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
    WHERE c.company_id = mine AND (folded(c.name) LIKE name_like OR c.number LIKE number_like
      OR c.username <> '' AND c.username LIKE replace(name_like, '%@', '%'))
    LIMIT most + 1);
  their_tickets := array(
    SELECT t.id FROM tickets t WHERE t.company_id = mine AND (t.contact_id = ANY (contacts) OR t.protocol = words)
    LIMIT most + 1);
  IF EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('messages_folded_words') AND indisvalid) THEN
    said := array(
      SELECT m.ticket_id FROM messages m
      WHERE m.company_id = mine AND NOT m.is_deleted
        AND to_tsvector('simple', folded(m.body)) @@ plainto_tsquery('simple', folded(words))
      LIMIT most_messages + 1);
  ELSE
    said := array(
      SELECT m.ticket_id FROM messages m
      WHERE m.company_id = mine AND NOT m.is_deleted
        AND to_tsvector('simple', m.body) @@ plainto_tsquery('simple', words)
      LIMIT most_messages + 1);
  END IF;
  said_in := array(SELECT DISTINCT unnest(said));
  all_contacts := cardinality(contacts) <= most;
  all_theirs := cardinality(their_tickets) <= most;
  all_said := cardinality(said) <= most_messages;
END $$;
