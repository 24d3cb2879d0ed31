ALTER TABLE "bot_sessions" ADD COLUMN "burst_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "bot_sessions_burst" ON "bot_sessions" USING btree ("company_id","burst_at") WHERE "bot_sessions"."burst_at" is not null;--> statement-breakpoint
CREATE INDEX "bot_sessions_burst_at" ON "bot_sessions" USING btree ("burst_at") WHERE "bot_sessions"."burst_at" is not null;