ALTER TABLE "companies" ADD COLUMN "phone_country" text;--> statement-breakpoint
ALTER TABLE "contact_sheets" ADD COLUMN "two_readings" text DEFAULT 'refuse' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_sheets" ADD COLUMN "ambiguous" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tags" ADD COLUMN "position" integer;--> statement-breakpoint
-- The index of folded words is built here where that takes a moment; lateIndexes of messages.table.ts builds it beside the
-- work where there are more messages, and removes the one that it replaces.
CREATE FUNCTION index_words_of_few() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (SELECT FROM messages LIMIT 20001) AS few) <= 20000 THEN
    CREATE INDEX messages_folded_words ON messages
      USING gin (company_id, to_tsvector('simple', folded(body))) WITH (gin_pending_list_limit = 512);
    DROP INDEX messages_words;
  END IF;
END $$;--> statement-breakpoint
SELECT index_words_of_few();--> statement-breakpoint
DROP FUNCTION index_words_of_few();--> statement-breakpoint
-- A pattern that matches every text with these words, whatever its case and accents, and a few others: `~` is ten times as
-- fast as folded(), which then decides.
CREATE FUNCTION folded_pattern(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(
    CASE WHEN letter BETWEEN 'a' AND 'z' THEN '[' || letter || upper(letter) || '\u0080-\U0010FFFF]+'
      WHEN letter ~ '[0-9 ]' THEN letter WHEN ascii(letter) < 128 THEN '.' ELSE '[\u0080-\U0010FFFF]*' END,
    '' ORDER BY at)
  FROM regexp_split_to_table(left(folded(words), 40), '') WITH ORDINALITY AS letters (letter, at)
$$;--> statement-breakpoint
-- As before, but messages are found by folded words as soon as their index is there.
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
    WHERE c.company_id = mine AND (folded(c.name) LIKE name_like OR c.number LIKE number_like)
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
-- As before, but by folded words; of a long text what surrounds the longest of them.
CREATE OR REPLACE FUNCTION hits_in_tickets(words text, ids int[], pending boolean)
RETURNS TABLE (ticket_id int, message_id uuid, body text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  WITH asked AS MATERIALIZED (
    SELECT plainto_tsquery('simple', folded(words)) AS query, folded_pattern((
      SELECT lexeme FROM unnest(to_tsvector('simple', folded(words))) ORDER BY length(lexeme) DESC LIMIT 1)) AS pattern
  )
  SELECT found.ticket_id, found.id, CASE WHEN length(found.body) <= 60 THEN found.body ELSE (
    SELECT CASE WHEN at <= 60 THEN left(found.body, 240)
      ELSE regexp_replace(substr(found.body, at - 60, 240), '^\S{0,40}\s', '') END
    FROM regexp_instr(left(found.body, 20000), (SELECT pattern FROM asked)) AS at) END
  FROM tickets t CROSS JOIN LATERAL (
    SELECT m.ticket_id, m.id, m.body FROM messages m
    WHERE m.company_id = t.company_id AND m.ticket_id = t.id AND NOT m.is_deleted
      AND m.body ~ (SELECT pattern FROM asked)
      AND to_tsvector('simple', folded(m.body)) @@ (SELECT query FROM asked)
    ORDER BY m.position DESC LIMIT 1) found
  WHERE t.company_id = current_setting('app.company_id')::int AND t.id = ANY (ids)
    AND (pending OR t.status <> 'pending')
$$;
