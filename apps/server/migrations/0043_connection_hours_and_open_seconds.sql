ALTER TABLE "whatsapps" ADD COLUMN "hours" jsonb;--> statement-breakpoint
ALTER TABLE "ticket_segments" ADD COLUMN "open_seconds" integer;--> statement-breakpoint
-- How far into the open hours of a service a moment is, as seconds_into counts; null for a company without hours.
CREATE FUNCTION open_seconds_into(company integer, at timestamptz, began timestamptz, accepted timestamptz) RETURNS integer
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN at >= accepted
    THEN business_seconds(company, began, accepted) + business_seconds(company, accepted, at)
    ELSE business_seconds(company, began, at) END
$$;--> statement-breakpoint

-- The parts of a service add up to the second: to the wait until "accepted", and from there to the time it was served.
CREATE OR REPLACE FUNCTION write_ticket_segments(closing ticket_history, again bigint, began timestamptz, accepted timestamptz)
RETURNS void LANGUAGE sql AS $$
  WITH lines AS (
    SELECT m.id, m.to_status AS status, m.to_user_id AS user_id, m.to_queue_id AS queue_id,
      m.from_status, m.from_user_id, m.from_queue_id,
      greatest(began, least(closing.at, max(m.at) OVER (ORDER BY m.id))) AS at,
      row_number() OVER (ORDER BY m.id) = 1 AS is_first
    FROM made_moves(closing) m WHERE m.id >= again
  ), states AS (
    SELECT id, status, user_id, queue_id,
      CASE WHEN is_first AND (from_status IS NULL OR from_status = 'closed') THEN began ELSE at END AS at FROM lines
    UNION ALL
    SELECT 0, from_status, from_user_id, from_queue_id, began FROM lines
    WHERE is_first AND from_status IS NOT NULL AND from_status <> 'closed'
  ), stretches AS (
    SELECT *, lead(at) OVER (ORDER BY id) AS until FROM states
  ), spells AS (
    SELECT b.began_at, coalesce(b.ended_at, closing.at) AS ended_at FROM bot_spells b
    WHERE b.company_id = closing.company_id AND b.ticket_id = closing.ticket_id
  ), pieces AS (
    SELECT s.id, s.status, s.user_id, s.queue_id, cut.at AS since,
      lead(cut.at) OVER (PARTITION BY s.id ORDER BY cut.at) AS until
    FROM stretches s CROSS JOIN LATERAL (
      SELECT s.at UNION SELECT s.until UNION
      SELECT greatest(s.at, least(s.until, edge.at)) FROM spells b
      CROSS JOIN LATERAL (VALUES (b.began_at), (b.ended_at)) AS edge (at) WHERE s.status = 'pending'
    ) AS cut (at)
    WHERE s.until IS NOT NULL AND s.status <> 'closed'
  ), told AS (
    SELECT *, CASE WHEN status = 'open' THEN 'serve'
        WHEN EXISTS (SELECT FROM spells b WHERE b.began_at <= since AND b.ended_at >= until) THEN 'bot'
        ELSE 'wait' END AS kind,
      seconds_into(until, began, accepted) - seconds_into(since, began, accepted) AS seconds,
      open_seconds_into(closing.company_id, until, began, accepted)
        - open_seconds_into(closing.company_id, since, began, accepted) AS open_seconds
    FROM pieces WHERE until > since
  ), written AS (
    INSERT INTO ticket_segments (company_id, history_id, place, kind, user_id, queue_id, seconds, open_seconds)
    SELECT closing.company_id, closing.id, row_number() OVER (ORDER BY id, since), kind, coalesce(user_id, 0),
      coalesce(queue_id, 0), seconds, open_seconds FROM told
  )
  UPDATE ticket_services SET bot_seconds = (SELECT sum(seconds) FROM told WHERE kind = 'bot')
  WHERE company_id = closing.company_id AND history_id = closing.id AND EXISTS (SELECT FROM told WHERE kind = 'bot')
$$;
