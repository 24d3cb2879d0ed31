ALTER TABLE "companies" ADD COLUMN "pay_by" date;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "suspended_at" timestamp (3) with time zone;--> statement-breakpoint
-- How a company stands towards the operator's grace, written down where it changed; true then. It runs as its owner, since
-- no company writes this of itself, and decides nothing that it is told: only what day it is. Companies stand still while the
-- grace changes, and two payments of one company come one after the other, so that the second sees the first.
CREATE FUNCTION settle_company(whose integer, moment timestamptz, usual_zone text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  own record;
  grace integer;
  today date;
  last_day date;
  is_late boolean;
BEGIN
  IF coalesce(nullif(current_setting('app.company_id', true), ''), whose::text) <> whose::text THEN
    RAISE insufficient_privilege USING MESSAGE = 'permission denied for another company';
  END IF;
  SELECT value::integer INTO grace FROM settings WHERE key = 'graceDays' FOR SHARE;
  SELECT time_zone, pay_by, suspended_at INTO own FROM companies WHERE id = whose FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  today := (moment AT TIME ZONE coalesce(own.time_zone, usual_zone))::date;
  -- the operator's own, and the one whose connection carries the notices to all others
  IF coalesce(grace, 0) > 0
    AND NOT EXISTS (SELECT FROM users u WHERE u.company_id = whose AND u.master = 1)
    AND NOT EXISTS (SELECT FROM whatsapps w WHERE w.company_id = whose AND w.saas_notification_center) THEN
    SELECT min(i.due_date) + grace INTO last_day FROM invoices i
    WHERE i.company_id = whose AND i.status IN ('PENDING', 'OVERDUE') AND i.due_date < today;
  END IF;
  is_late := coalesce(last_day < today, false);
  IF own.pay_by IS NOT DISTINCT FROM last_day AND (own.suspended_at IS NOT NULL) = is_late THEN
    RETURN false;
  END IF;
  UPDATE companies SET pay_by = last_day, suspended_at = CASE WHEN is_late THEN coalesce(suspended_at, now()) END
  WHERE id = whose;
  RETURN true;
END $$;
