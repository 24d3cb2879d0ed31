ALTER TABLE "companies" ADD COLUMN "words" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "messages_counted" integer;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "words" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
-- Words are folded when they are written, not at each look. A name is cut where its index entry would become too long.
CREATE FUNCTION fold_words_of_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.words := left(folded(NEW.name), 500) || E'\n' || CASE WHEN NEW.username <> '' THEN '@' || NEW.username || E'\n' ELSE '' END
    || NEW.number;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER contacts_words_folded BEFORE INSERT OR UPDATE OF name, username, number ON contacts
FOR EACH ROW EXECUTE FUNCTION fold_words_of_contact();--> statement-breakpoint
CREATE FUNCTION fold_words_of_company() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.words := left(folded(NEW.name) || E'\n' || folded(NEW.company_name) || E'\n' || folded(NEW.email), 600);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER companies_words_folded BEFORE INSERT OR UPDATE OF name, company_name, email ON companies
FOR EACH ROW EXECUTE FUNCTION fold_words_of_company();--> statement-breakpoint
DROP INDEX "companies_by_name";--> statement-breakpoint
CREATE INDEX "companies_words" ON "companies" USING btree ("words","id");--> statement-breakpoint
CREATE INDEX "companies_words_trigrams" ON "companies" USING gin ("words" gin_trgm_ops);--> statement-breakpoint
-- The indexes of contacts are built here where that takes a moment; lateContactIndexes of contacts.table.ts builds them beside the
-- work where there are more contacts, and removes those that they replace.
CREATE FUNCTION index_contacts_of_few() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (SELECT FROM contacts LIMIT 20001) AS few) <= 20000 THEN
    CREATE INDEX contacts_words ON contacts USING btree (company_id, words, id);
    CREATE INDEX contacts_words_trigrams ON contacts USING gin (company_id, words gin_trgm_ops);
    DROP INDEX contacts_name;
    DROP INDEX contacts_name_trigrams;
    DROP INDEX contacts_number_trigrams;
    DROP INDEX IF EXISTS contacts_username_trigrams;
  END IF;
END $$;--> statement-breakpoint
SELECT index_contacts_of_few();--> statement-breakpoint
DROP FUNCTION index_contacts_of_few();--> statement-breakpoint
-- A page of the contacts of the transaction's company that carry one of the chosen categories (any, when none is chosen) and whose
-- words or e-mail are like the words, or the number like the number; and how many there are, up to one past "most": then the page
-- is none of all. It runs as its owner for the reason of found_tickets; so the company is checked here. Planned for each search:
-- what is rare is found by its letters, what is common among rows that are read one after the other.
CREATE FUNCTION found_contacts(
  words text, number_like text, chosen int[], skipped int, size int, most int, OUT ids int[], OUT counted int
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
DECLARE
  wanted text := 'SELECT c.id, c.words FROM contacts c WHERE c.company_id = $1';
BEGIN
  IF words <> '' THEN
    wanted := wanted || ' AND (c.words LIKE $2 OR lower(c.email) LIKE $2'
      || CASE WHEN number_like <> '' THEN ' OR c.words LIKE $3' ELSE '' END
      || ' OR c.words = '''' AND (folded(c.name) LIKE $2 OR ''@'' || c.username LIKE $2 OR c.number LIKE nullif($3, '''')))';
  END IF;
  IF cardinality(chosen) > 0 THEN
    wanted := wanted || ' AND c.id IN (SELECT k.contact_id FROM contact_categories k
      WHERE k.company_id = $1 AND k.category_id = ANY ($4))';
  END IF;
  EXECUTE 'WITH found AS MATERIALIZED (' || wanted || ' LIMIT $7 + 1)
    SELECT array(SELECT id FROM found ORDER BY words, id OFFSET $5 LIMIT $6), (SELECT count(*) FROM found)' INTO ids, counted
    USING current_setting('app.company_id')::int, words, number_like, chosen, skipped, size, most;
END $$;--> statement-breakpoint
-- As before, but by the words of contacts.
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
    WHERE c.company_id = mine AND (c.words LIKE name_like OR c.words LIKE number_like
      OR c.words = '' AND (folded(c.name) LIKE name_like OR '@' || c.username LIKE name_like OR c.number LIKE number_like))
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
END $$;--> statement-breakpoint
-- As before, but in plpgsql, which keeps its plans: a function in SQL is planned at each call, which takes as long as the answer.
CREATE OR REPLACE FUNCTION hits_in_tickets(words text, ids int[], pending boolean)
RETURNS TABLE (ticket_id int, message_id uuid, body text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
DECLARE
  mine int := current_setting('app.company_id')::int;
  query tsquery := plainto_tsquery('simple', folded(words));
  pattern text := folded_pattern((
    SELECT lexeme FROM unnest(to_tsvector('simple', folded(words))) ORDER BY length(lexeme) DESC LIMIT 1));
BEGIN
  RETURN QUERY
  SELECT found.ticket_id, found.id, CASE WHEN length(found.body) <= 60 THEN found.body ELSE (
    SELECT CASE WHEN at <= 60 THEN left(found.body, 240)
      ELSE regexp_replace(substr(found.body, at - 60, 240), '^\S{0,40}\s', '') END
    FROM regexp_instr(left(found.body, 20000), pattern) AS at) END
  FROM tickets t CROSS JOIN LATERAL (
    SELECT m.ticket_id, m.id, m.body FROM messages m
    WHERE m.company_id = mine AND m.ticket_id = t.id AND NOT m.is_deleted
      AND m.body ~ pattern
      AND to_tsvector('simple', folded(m.body)) @@ query
    ORDER BY m.position DESC LIMIT 1) found
  WHERE t.company_id = mine AND t.id = ANY (hits_in_tickets.ids)
    AND (pending OR t.status <> 'pending');
END $$;
