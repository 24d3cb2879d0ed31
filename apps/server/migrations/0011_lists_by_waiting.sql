CREATE INDEX "tickets_by_waiting" ON "tickets" USING btree ("company_id","status",coalesce("waiting_since", 'infinity'::timestamptz),"updated_at","id") WHERE "tickets"."status" <> 'closed';
--> statement-breakpoint
-- Of each of the given tickets of the transaction's company the newest message that holds all the words, and the words
-- around the find. It runs as its owner for the reason of found_tickets.
CREATE FUNCTION hits_in_tickets(words text, ids int[], pending boolean)
RETURNS TABLE (ticket_id int, message_id uuid, body text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT found.ticket_id, found.id, ts_headline('simple', left(found.body, 20000), plainto_tsquery('simple', words),
    'StartSel="",StopSel="",MaxWords=24,MinWords=12,MaxFragments=1')
  FROM (
    SELECT DISTINCT ON (m.ticket_id) m.ticket_id, m.id, m.body
    FROM messages m JOIN tickets t ON t.company_id = m.company_id AND t.id = m.ticket_id
    WHERE m.company_id = current_setting('app.company_id')::int AND m.ticket_id = ANY (ids) AND NOT m.is_deleted
      AND (pending OR t.status <> 'pending')
      AND to_tsvector('simple', m.body) @@ plainto_tsquery('simple', words)
    ORDER BY m.ticket_id, m.created_at DESC, m.position DESC) found
$$;
