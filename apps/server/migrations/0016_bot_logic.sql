ALTER TABLE "bot_calls" ADD COLUMN "awaited_seconds" integer;--> statement-breakpoint
ALTER TABLE "bot_commands" ADD COLUMN "logic" jsonb;