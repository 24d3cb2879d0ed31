ALTER TABLE "plan_orders" ADD COLUMN "terms" jsonb;--> statement-breakpoint
ALTER TABLE "plan_orders" ADD COLUMN "lapsed_value" integer;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "fiscal_note_url" text DEFAULT '' NOT NULL;