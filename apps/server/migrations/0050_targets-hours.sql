ALTER TABLE "whatsapps" ADD COLUMN "holidays" jsonb;--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "hours" jsonb;--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "holidays" jsonb;--> statement-breakpoint

-- The hours and holidays that count in a place: those of the queue, else of the connection, else of the company. Each id may
-- be null. `week` is null where none of them has hours.
CREATE FUNCTION hours_of(company integer, queue integer, connection integer, OUT zone text, OUT week jsonb, OUT days jsonb)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(c.time_zone, w.usual_zone, 'America/Sao_Paulo'),
    coalesce(q.hours, n.hours, (
      SELECT jsonb_agg(jsonb_build_object('weekday', h.weekday, 'opens', h.opens, 'closes', h.closes))
      FROM business_hours h WHERE h.company_id = company)),
    coalesce(q.holidays, n.holidays, (
      SELECT jsonb_agg(jsonb_build_object('day', d.day)) FROM business_holidays d WHERE d.company_id = company), '[]')
  FROM companies c LEFT JOIN business_weeks w ON w.company_id = c.id
  LEFT JOIN queues q ON q.company_id = c.id AND q.id = queue
  LEFT JOIN whatsapps n ON n.company_id = c.id AND n.id = connection
  WHERE c.id = company
$$;--> statement-breakpoint

-- How long it is open between two moments by such hours; without hours all of it.
CREATE FUNCTION open_time(zone text, week jsonb, days jsonb, since timestamptz, until timestamptz) RETURNS interval
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN week IS NULL THEN greatest(until - since, interval '0') ELSE (
    SELECT coalesce(sum(lasting) FILTER (WHERE lasting > interval '0'), interval '0') FROM (
      SELECT least(until, (d.day + make_interval(mins => h.closes)) AT TIME ZONE zone)
        - greatest(since, (d.day + make_interval(mins => h.opens)) AT TIME ZONE zone) AS lasting
      FROM generate_series(date_trunc('day', since AT TIME ZONE zone), until AT TIME ZONE zone, interval '1 day') AS d (day)
      JOIN jsonb_to_recordset(week) AS h (weekday integer, opens integer, closes integer)
        ON h.weekday = extract(dow FROM d.day)
      WHERE NOT EXISTS (SELECT FROM jsonb_to_recordset(days) AS o (day date) WHERE o.day = d.day::date)) AS spans) END
$$;--> statement-breakpoint

-- Whether a queue, a connection or the company is open at a moment; null without hours.
CREATE FUNCTION is_open(company integer, queue integer, connection integer, at timestamptz DEFAULT now()) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN h.week IS NOT NULL
    THEN open_time(h.zone, h.week, h.days, at, at + interval '1 millisecond') > interval '0' END
  FROM hours_of(company, queue, connection) h
$$;--> statement-breakpoint

-- The seconds that it is open between two moments; without hours all of them.
CREATE FUNCTION open_seconds(company integer, queue integer, connection integer, since timestamptz, until timestamptz)
RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT floor(extract(epoch FROM open_time(h.zone, h.week, h.days, since, until)))::integer
  FROM hours_of(company, queue, connection) h
$$;--> statement-breakpoint

-- The moment after so many open seconds, the inverse of open_seconds; with 0 the moment itself, or the next opening. Null where
-- more than a year has fewer. `closes`: when the opening in which that moment is ends.
CREATE FUNCTION open_after(zone text, week jsonb, days jsonb, since timestamptz, seconds double precision,
  OUT at timestamptz, OUT closes timestamptz) LANGUAGE plpgsql STABLE AS $$
DECLARE
  left_over interval := make_interval(secs => seconds); today timestamp; span record;
BEGIN
  IF week IS NULL THEN
    at := since + left_over;
    RETURN;
  END IF;
  today := date_trunc('day', since AT TIME ZONE zone);
  FOR passed IN 0..400 LOOP
    IF NOT EXISTS (SELECT FROM jsonb_to_recordset(days) AS o (day date) WHERE o.day = today::date) THEN
      FOR span IN
        SELECT greatest(since, (today + make_interval(mins => h.opens)) AT TIME ZONE zone) AS opened,
          (today + make_interval(mins => h.closes)) AT TIME ZONE zone AS closed
        FROM jsonb_to_recordset(week) AS h (weekday integer, opens integer, closes integer)
        WHERE h.weekday = extract(dow FROM today) ORDER BY h.opens
      LOOP
        CONTINUE WHEN span.closed <= span.opened;
        IF span.closed - span.opened >= left_over THEN
          at := span.opened + left_over;
          closes := span.closed;
          RETURN;
        END IF;
        left_over := left_over - (span.closed - span.opened);
      END LOOP;
    END IF;
    today := today + interval '1 day';
  END LOOP;
END $$;
