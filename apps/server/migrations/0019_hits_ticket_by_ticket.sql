-- Of each of the given tickets of the transaction's company the newest message that holds all the words, and the words
-- around the find. Each ticket is read from its newest message back, and only what contains the longest of the words is
-- taken apart into words, which costs twenty times as much: a ticket of 5,000 messages took 100 ms before. What is short is shown whole.
CREATE OR REPLACE FUNCTION hits_in_tickets(words text, ids int[], pending boolean)
RETURNS TABLE (ticket_id int, message_id uuid, body text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  WITH longest AS MATERIALIZED (
    SELECT lexeme FROM unnest(to_tsvector('simple', words)) ORDER BY length(lexeme) DESC LIMIT 1
  )
  SELECT found.ticket_id, found.id, CASE WHEN length(found.body) <= 60 THEN found.body
    ELSE ts_headline('simple', left(found.body, 20000), plainto_tsquery('simple', words),
      'StartSel="",StopSel="",MaxWords=24,MinWords=12,MaxFragments=1') END
  FROM tickets t CROSS JOIN LATERAL (
    SELECT m.ticket_id, m.id, m.body FROM messages m
    WHERE m.company_id = t.company_id AND m.ticket_id = t.id AND NOT m.is_deleted
      AND strpos(lower(m.body), (SELECT lexeme FROM longest)) > 0
      AND to_tsvector('simple', m.body) @@ plainto_tsquery('simple', words)
    ORDER BY m.position DESC LIMIT 1) found
  WHERE t.company_id = current_setting('app.company_id')::int AND t.id = ANY (ids)
    AND (pending OR t.status <> 'pending')
$$;
