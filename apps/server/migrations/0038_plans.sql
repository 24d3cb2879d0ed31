ALTER TABLE "companies" DROP CONSTRAINT "companies_plan_id_plans_id_fk";
--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "inscr_municipal" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "inscr_estadual" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "emails_of_notifications" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "whatsapps_of_notifications" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "observation" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "lead_id" integer;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "leaving_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "enable_reports" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "enable_dashboard" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "enable_schedules" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "company_id" integer;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "slogan" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "value_1_month" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "value_3_months" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "value_6_months" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "value_12_months" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "recurrence" text DEFAULT 'month1' NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "billing_type" text DEFAULT 'PIX' NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "automatic_invoice" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "highlighted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "status" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "enable_reports" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "enable_dashboard" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "enable_schedules" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "enable_api" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "plans_of_company" ON "plans" USING btree ("company_id");--> statement-breakpoint
INSERT INTO "plans" ("company_id", "name", "number_attendants", "number_connections", "ia_integration_enabled", "enable_campaigns", "enable_bots", "enable_flows", "campaign_send_limit_per_hour")
  SELECT c."id", p."name", c."number_attendants", c."number_conections", p."ia_integration_enabled", c."enable_campaigns", c."enable_bots", c."enable_flows", p."campaign_send_limit_per_hour"
  FROM "companies" c JOIN "plans" p ON p."id" = c."plan_id";--> statement-breakpoint
ALTER TABLE "companies" DROP COLUMN "plan_id";--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_standard" CHECK (not ("plans"."is_standard" and "plans"."company_id" is not null));