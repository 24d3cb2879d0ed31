-- Counts of tickets by place, moved in the transaction that moves the ticket. Rows are locked in one order
-- (old place and new place sorted), so that two moves in opposite directions cannot wait for each other.
CREATE FUNCTION count_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place record;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.status, OLD.queue_id, OLD.user_id) IS NOT DISTINCT FROM (NEW.status, NEW.queue_id, NEW.user_id) THEN
    RETURN NULL;
  END IF;
  FOR place IN
    SELECT company_id, status, queue_id, user_id, sum(step)::int AS step FROM (
      SELECT OLD.company_id, OLD.status, coalesce(OLD.queue_id, 0) AS queue_id, coalesce(OLD.user_id, 0) AS user_id, -1 AS step
      WHERE TG_OP <> 'INSERT'
      UNION ALL
      SELECT NEW.company_id, NEW.status, coalesce(NEW.queue_id, 0), coalesce(NEW.user_id, 0), 1
      WHERE TG_OP <> 'DELETE'
    ) AS moves
    GROUP BY 1, 2, 3, 4
    ORDER BY 1, 2, 3, 4
  LOOP
    INSERT INTO ticket_counts (company_id, status, queue_id, user_id, tickets)
    VALUES (place.company_id, place.status, place.queue_id, place.user_id, place.step)
    ON CONFLICT (company_id, status, queue_id, user_id) DO UPDATE SET tickets = ticket_counts.tickets + EXCLUDED.tickets;
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tickets_counted AFTER INSERT OR DELETE OR UPDATE OF status, queue_id, user_id ON tickets
FOR EACH ROW EXECUTE FUNCTION count_ticket();
