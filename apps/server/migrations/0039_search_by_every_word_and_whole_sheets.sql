ALTER TABLE "contact_sheet_rows" ADD COLUMN "more" jsonb;--> statement-breakpoint
-- The condition of a search for people on "contacts c". "words": records (U+001E), of which one has to match in all its units
-- (U+001F); "number_like": units of which one matches instead. Each is found by one look at the index.
CREATE FUNCTION condition_of_people(words text, number_like text, by_email boolean) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = public AS $$
  SELECT '(' || coalesce(string_agg(
    now || ' OR c.words = '''' AND ' || later || CASE WHEN by_email AND word IS NOT NULL THEN ' OR lower(c.email) LIKE ' || word ELSE '' END,
    ' OR '), 'false') || ')'
  FROM (
    SELECT string_to_array(way, E'\x1f'), CASE WHEN position(E'\x1f' IN way) = 0 THEN quote_literal(way) END
    FROM unnest(string_to_array(words, E'\x1e')) AS way
    UNION ALL SELECT array[number], NULL FROM unnest(string_to_array(number_like, E'\x1f')) AS number
  ) AS ways(every, word) CROSS JOIN LATERAL (
    SELECT string_agg('c.words LIKE ' || quote_literal(one), ' AND '),
      string_agg('(folded(c.name) || E''\n@'' || c.username || E''\n'' || c.number) LIKE ' || quote_literal(one), ' AND ')
    FROM unnest(every) AS one
  ) AS conditions(now, later)
$$;--> statement-breakpoint
-- As before, but every word is looked for by itself, and a number in all its spellings.
CREATE OR REPLACE FUNCTION found_contacts(
  words text, number_like text, chosen int[], skipped int, size int, most int, OUT ids int[], OUT counted int
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
DECLARE
  wanted text := 'SELECT c.id, c.words FROM contacts c WHERE c.company_id = $1';
BEGIN
  IF words <> '' THEN
    wanted := wanted || ' AND ' || condition_of_people(words, number_like, true);
  END IF;
  IF cardinality(chosen) > 0 THEN
    wanted := wanted || ' AND c.id IN (SELECT k.contact_id FROM contact_categories k
      WHERE k.company_id = $1 AND k.category_id = ANY ($2))';
  END IF;
  EXECUTE 'WITH found AS MATERIALIZED (' || wanted || ' LIMIT $5 + 1)
    SELECT array(SELECT id FROM found ORDER BY words, id OFFSET $3 LIMIT $4), (SELECT count(*) FROM found)' INTO ids, counted
    USING current_setting('app.company_id')::int, chosen, skipped, size, most;
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
  EXECUTE 'SELECT array(SELECT c.id FROM contacts c WHERE c.company_id = $1 AND '
      || condition_of_people(name_like, number_like, false) || ' LIMIT $2 + 1)'
    INTO contacts USING mine, most;
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
--> statement-breakpoint
-- As before; holidays alone are no opening hours.
CREATE OR REPLACE FUNCTION business_time(company integer, since timestamptz, until timestamptz) RETURNS interval
LANGUAGE sql STABLE AS $$
  WITH zone AS (
    SELECT coalesce(c.time_zone, w.usual_zone) AS name
    FROM business_weeks w JOIN companies c ON c.id = w.company_id
    WHERE w.company_id = company AND EXISTS (SELECT FROM business_hours h WHERE h.company_id = company)
  ), days AS (
    SELECT d.day, zone.name FROM zone, generate_series(date_trunc('day', since AT TIME ZONE zone.name),
      until AT TIME ZONE zone.name, interval '1 day') AS d (day)
    WHERE NOT EXISTS (SELECT FROM business_holidays h WHERE h.company_id = company AND h.day = d.day::date)
  ), spans AS (
    SELECT least(until, (day + make_interval(mins => closes)) AT TIME ZONE name)
      - greatest(since, (day + make_interval(mins => opens)) AT TIME ZONE name) AS lasting
    FROM days JOIN business_hours h ON h.company_id = company AND h.weekday = extract(dow FROM day)
  )
  SELECT coalesce(sum(lasting) FILTER (WHERE lasting > interval '0'), interval '0')
  FROM zone LEFT JOIN spans ON true GROUP BY zone.name
$$;
