ALTER TABLE "contact_sheets" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "api_sends" ADD COLUMN "ack" integer;