-- How a company stands towards the operator's grace, written down where it changed; true then. It runs as its owner,
-- since no company writes this of itself, and decides nothing that it is told: only what day it is. A company whose trial is over
-- (TRIAL_DAYS, or as prolonged) is suspended, too, where its plan lets it rest then and it never paid: one whose only payment was
-- given back has the grace of an invoice that is late. An invoice of which less is left than the payment provider charges
-- (belowLeast) suspends no company, since it cannot be paid there. Companies wait
-- while the grace changes, and two payments of one company come one after the other, so that the second sees the first.
CREATE OR REPLACE FUNCTION settle_company(whose integer, moment timestamptz, usual_zone text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  own record;
  grace integer;
  today date;
  last_day date;
  is_late boolean;
  rests boolean := false;
BEGIN
  IF coalesce(nullif(current_setting('app.company_id', true), ''), whose::text) <> whose::text THEN
    RAISE insufficient_privilege USING MESSAGE = 'permission denied for another company';
  END IF;
  SELECT value::integer INTO grace FROM settings WHERE key = 'graceDays' FOR SHARE;
  SELECT time_zone, pay_by, suspended_at, lead_id, created_at INTO own FROM companies WHERE id = whose FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  today := (moment AT TIME ZONE coalesce(own.time_zone, usual_zone))::date;
  -- the operator's own, and the one whose connection carries the notices to all others, are never
  IF NOT EXISTS (SELECT FROM users u WHERE u.company_id = whose AND u.master = 1)
    AND NOT EXISTS (SELECT FROM whatsapps w WHERE w.company_id = whose AND w.saas_notification_center) THEN
    IF coalesce(grace, 0) > 0 THEN
      SELECT min(i.due_date) + grace INTO last_day FROM invoices i
      WHERE i.company_id = whose AND i.status IN ('PENDING', 'OVERDUE') AND i.due_date < today
        AND i.payment_problem <> 'belowLeast';
    END IF;
    rests := EXISTS (
      SELECT FROM plans p LEFT JOIN subscriptions s ON s.company_id = p.company_id
      WHERE p.company_id = whose AND p.rests_after_trial
        AND 0 < CASE p.recurrence WHEN 'month1' THEN p.value_1_month WHEN 'months3' THEN p.value_3_months
          WHEN 'months6' THEN p.value_6_months ELSE p.value_12_months END
        AND today >= coalesce(s.trial_ends_on, CASE WHEN own.lead_id IS NOT NULL THEN
          ((own.created_at + interval '15 days') AT TIME ZONE coalesce(own.time_zone, usual_zone))::date END))
      AND NOT EXISTS (SELECT FROM invoices i WHERE i.company_id = whose AND i.status IN ('RECEIVED', 'CONFIRMED'))
      AND NOT EXISTS (SELECT FROM payments y WHERE y.company_id = whose AND y.source <> 'credit' AND y.voided_at IS NULL AND y.review IS NULL);
  END IF;
  is_late := rests OR coalesce(last_day < today, false);
  IF own.pay_by IS NOT DISTINCT FROM last_day AND (own.suspended_at IS NOT NULL) = is_late THEN
    RETURN false;
  END IF;
  UPDATE companies SET pay_by = last_day, suspended_at = CASE WHEN is_late THEN coalesce(suspended_at, now()) END
  WHERE id = whose;
  RETURN true;
END $$;
