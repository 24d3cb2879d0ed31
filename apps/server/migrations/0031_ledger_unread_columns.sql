CREATE OR REPLACE FUNCTION write_plan_price(plan plans, moment timestamptz) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp AS $$
  INSERT INTO plan_prices (company_id, since, name, months, value)
  SELECT plan.company_id, moment, plan.name, months, months * monthly
  FROM (SELECT
    CASE plan.recurrence WHEN 'month1' THEN 1 WHEN 'months3' THEN 3 WHEN 'months6' THEN 6 ELSE 12 END AS months,
    CASE plan.recurrence WHEN 'month1' THEN plan.value_1_month WHEN 'months3' THEN plan.value_3_months
      WHEN 'months6' THEN plan.value_6_months ELSE plan.value_12_months END AS monthly) priced
$$;
--> statement-breakpoint
ALTER TABLE "plan_changes" DROP COLUMN "requested_by";--> statement-breakpoint
ALTER TABLE "plan_prices" DROP COLUMN "is_automatic";
