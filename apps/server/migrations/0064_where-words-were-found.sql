-- What a search shows of a message: all of a short one, else the part around the first match of the pattern.
CREATE FUNCTION excerpt_of(body text, pattern text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = public AS $$
  SELECT CASE WHEN length(body) <= 60 THEN body ELSE (
    SELECT CASE WHEN at <= 60 THEN left(body, 240)
      ELSE regexp_replace(substr(body, at - 60, 240), '^\S{0,40}\s', '') END
    FROM regexp_instr(left(body, 20000), pattern) AS at) END
$$;--> statement-breakpoint
-- The longest word of a search, as a pattern for bodies.
CREATE FUNCTION longest_word_of(words text) RETURNS text
LANGUAGE sql STABLE SET search_path = public AS $$
  SELECT folded_pattern((
    SELECT lexeme FROM unnest(to_tsvector('simple', folded(words))) ORDER BY length(lexeme) DESC LIMIT 1))
$$;--> statement-breakpoint
-- As before, with the excerpt of excerpt_of.
CREATE OR REPLACE FUNCTION hits_in_tickets(words text, ids int[], pending boolean)
RETURNS TABLE (ticket_id int, message_id uuid, body text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
DECLARE
  mine int := current_setting('app.company_id')::int;
  query tsquery := plainto_tsquery('simple', folded(words));
  pattern text := longest_word_of(words);
BEGIN
  RETURN QUERY
  SELECT found.ticket_id, found.id, excerpt_of(found.body, pattern)
  FROM tickets t CROSS JOIN LATERAL (
    SELECT m.ticket_id, m.id, m.body FROM messages m
    WHERE m.company_id = mine AND m.ticket_id = t.id AND NOT m.is_deleted
      AND m.body ~ pattern
      AND to_tsvector('simple', folded(m.body)) @@ query
    ORDER BY m.position DESC LIMIT 1) found
  WHERE t.company_id = mine AND t.id = ANY (hits_in_tickets.ids)
    AND (pending OR t.status <> 'pending');
END $$;--> statement-breakpoint
-- The same for tickets whose newest matching message was found already: "at" has its position for each of "ids". Messages that
-- were imported share theirs, so what is there is looked at.
CREATE FUNCTION hits_at(words text, ids int[], at bigint[], pending boolean)
RETURNS TABLE (ticket_id int, message_id uuid, body text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
DECLARE
  mine int := current_setting('app.company_id')::int;
  query tsquery := plainto_tsquery('simple', folded(words));
  pattern text := longest_word_of(words);
BEGIN
  RETURN QUERY
  SELECT found.id, hit.id, excerpt_of(hit.body, pattern)
  FROM unnest(hits_at.ids, hits_at.at) AS found (id, place) CROSS JOIN LATERAL (
    SELECT m.id, m.body FROM messages m
    WHERE m.company_id = mine AND m.ticket_id = found.id AND m.position = found.place AND NOT m.is_deleted
      AND m.body ~ pattern
      AND to_tsvector('simple', folded(m.body)) @@ query
    ORDER BY m.id DESC LIMIT 1) hit
  WHERE pending OR EXISTS (
    SELECT FROM tickets t WHERE t.company_id = mine AND t.id = found.id AND t.status <> 'pending');
END $$;--> statement-breakpoint
-- As before, with the position of the newest matching message of each ticket in "said_in".
DROP FUNCTION found_tickets(text, text, text, int, int);--> statement-breakpoint
CREATE FUNCTION found_tickets(
  words text, name_like text, number_like text, most int, most_messages int,
  OUT contacts int[], OUT their_tickets int[], OUT said_in int[], OUT said_at bigint[],
  OUT all_contacts boolean, OUT all_theirs boolean, OUT all_said boolean
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
DECLARE
  mine int := current_setting('app.company_id')::int;
  matched int;
  way text;
  every text[];
  single text[] := coalesce(string_to_array(number_like, E'\x1f'), '{}');
BEGIN
  IF EXISTS (SELECT FROM contacts c WHERE c.company_id = mine AND c.words = '') THEN
    EXECUTE 'SELECT array(SELECT c.id FROM contacts c WHERE c.company_id = $1 AND '
        || condition_of_people(name_like, number_like, false) || ' LIMIT $2 + 1)'
      INTO contacts USING mine, most;
  ELSE
    contacts := '{}';
    FOREACH way IN ARRAY string_to_array(name_like, E'\x1e') LOOP
      every := string_to_array(way, E'\x1f');
      IF cardinality(every) = 1 THEN
        single := single || every;
      ELSE
        contacts := contacts || contacts_like_all(mine, every, most);
      END IF;
    END LOOP;
    IF cardinality(single) > 0 THEN
      contacts := contacts || contacts_like_any(mine, single, most);
    END IF;
  END IF;
  their_tickets := array(
    SELECT t.id FROM tickets t WHERE t.company_id = mine AND (t.contact_id = ANY (contacts) OR t.protocol = words)
    LIMIT most + 1);
  IF EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('messages_folded_words') AND indisvalid) THEN
    SELECT coalesce(array_agg(ticket_id), '{}'), coalesce(array_agg(newest), '{}'), coalesce(sum(messages), 0)
    INTO said_in, said_at, matched
    FROM (SELECT ticket_id, max(position) AS newest, count(*) AS messages FROM (
      SELECT m.ticket_id, m.position FROM messages m
      WHERE m.company_id = mine AND NOT m.is_deleted
        AND to_tsvector('simple', folded(m.body)) @@ plainto_tsquery('simple', folded(words))
      LIMIT most_messages + 1) said GROUP BY ticket_id) of_ticket;
  ELSE
    SELECT coalesce(array_agg(ticket_id), '{}'), coalesce(array_agg(newest), '{}'), coalesce(sum(messages), 0)
    INTO said_in, said_at, matched
    FROM (SELECT ticket_id, max(position) AS newest, count(*) AS messages FROM (
      SELECT m.ticket_id, m.position FROM messages m
      WHERE m.company_id = mine AND NOT m.is_deleted
        AND to_tsvector('simple', m.body) @@ plainto_tsquery('simple', words)
      LIMIT most_messages + 1) said GROUP BY ticket_id) of_ticket;
  END IF;
  all_contacts := cardinality(contacts) <= most;
  all_theirs := cardinality(their_tickets) <= most;
  all_said := matched <= most_messages;
END $$;
