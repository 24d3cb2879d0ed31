DROP TRIGGER tickets_counted ON tickets;
--> statement-breakpoint
DROP FUNCTION count_ticket();
--> statement-breakpoint
-- Counts of tickets by place, moved in the transaction that moves them: once a statement and place, since a row that one
-- transaction changes ten thousand times over is slow to find. A part of the count that another transaction holds is
-- passed over, and when all are held a new one is begun: nobody ever waits here.
CREATE FUNCTION count_steps(company int, at_status text, at_queue int, at_user int, step int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ticket_counts c SET tickets = c.tickets + step
  WHERE c.company_id = company AND c.status = at_status AND c.queue_id = at_queue AND c.user_id = at_user
    AND c.part = (
      SELECT f.part FROM ticket_counts f
      WHERE f.company_id = company AND f.status = at_status AND f.queue_id = at_queue AND f.user_id = at_user
      ORDER BY f.part LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    INSERT INTO ticket_counts (company_id, status, queue_id, user_id, tickets)
    VALUES (company, at_status, at_queue, at_user, step);
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_moved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place record;
BEGIN
  FOR place IN
    SELECT company_id, status, queue_id, user_id, sum(step)::int AS step FROM (
      SELECT company_id, status, coalesce(queue_id, 0) AS queue_id, coalesce(user_id, 0) AS user_id, -1 AS step FROM was
      UNION ALL
      SELECT company_id, status, coalesce(queue_id, 0), coalesce(user_id, 0), 1 FROM now_is
    ) AS moves GROUP BY 1, 2, 3, 4 HAVING sum(step) <> 0
  LOOP
    PERFORM count_steps(place.company_id, place.status, place.queue_id, place.user_id, place.step);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place record;
BEGIN
  FOR place IN
    SELECT company_id, status, coalesce(queue_id, 0) AS queue_id, coalesce(user_id, 0) AS user_id, count(*)::int AS step
    FROM changed GROUP BY 1, 2, 3, 4
  LOOP
    PERFORM count_steps(place.company_id, place.status, place.queue_id, place.user_id,
      CASE TG_OP WHEN 'INSERT' THEN place.step ELSE -place.step END);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tickets_counted_in AFTER INSERT ON tickets REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_changed();
--> statement-breakpoint
CREATE TRIGGER tickets_counted_out AFTER DELETE ON tickets REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_changed();
--> statement-breakpoint
CREATE TRIGGER tickets_counted AFTER UPDATE ON tickets REFERENCING OLD TABLE AS was NEW TABLE AS now_is
FOR EACH STATEMENT EXECUTE FUNCTION count_moved();
