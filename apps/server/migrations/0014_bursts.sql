ALTER TABLE "bot_setups" ADD COLUMN "burst_seconds" integer DEFAULT 3 NOT NULL;--> statement-breakpoint
ALTER TABLE "bot_setups" ADD COLUMN "phone_stops_bot" boolean DEFAULT true NOT NULL;