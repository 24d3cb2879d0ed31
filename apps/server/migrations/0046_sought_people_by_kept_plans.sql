-- The contacts of a company that match any, or all, of some patterns, up to one past "most". Planned for each search, since only then the
-- planner knows how many contacts the company has; but parsed once.
CREATE FUNCTION contacts_like_any(company int, patterns text[], most int) RETURNS int[]
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN array(
    SELECT c.id FROM contacts c WHERE c.company_id = company AND c.words LIKE ANY (patterns) LIMIT most + 1);
END $$;--> statement-breakpoint
-- An index compares up to three patterns in one look; further ones are compared with what it finds.
CREATE FUNCTION contacts_like_all(company int, patterns text[], most int) RETURNS int[]
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF cardinality(patterns) = 2 THEN
    RETURN array(
      SELECT c.id FROM contacts c WHERE c.company_id = company AND c.words LIKE patterns[1] AND c.words LIKE patterns[2]
      LIMIT most + 1);
  END IF;
  RETURN array(
    SELECT c.id FROM contacts c
    WHERE c.company_id = company AND c.words LIKE patterns[1] AND c.words LIKE patterns[2] AND c.words LIKE patterns[3]
      AND c.words LIKE ALL (patterns[4:])
    LIMIT most + 1);
END $$;--> statement-breakpoint
-- As before, but the condition is written for each search only where rows of an earlier version are not folded yet.
CREATE OR REPLACE FUNCTION found_tickets(
  words text, name_like text, number_like text, most int, most_messages int,
  OUT contacts int[], OUT their_tickets int[], OUT said_in int[],
  OUT all_contacts boolean, OUT all_theirs boolean, OUT all_said boolean
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
DECLARE
  mine int := current_setting('app.company_id')::int;
  said int[];
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
