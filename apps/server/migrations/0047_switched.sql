ALTER TABLE "companies" ADD COLUMN "switched_off_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "switched_on_at" timestamp (3) with time zone;