ALTER TABLE "payments" ADD COLUMN "entered_for" integer;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "credited_value" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "credited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "carried_value" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "unpaid_since" date;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "unpaid_from" date;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ends_on" date;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "end_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ended_by" text DEFAULT '' NOT NULL;