DROP INDEX "messages_outbox";--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "typing" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "typing_from" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "messages_outbox" ON "messages" USING btree ("company_id","whatsapp_id",coalesce("typing_from", "due_at", '-infinity'),"position") WHERE "messages"."outbox" in ('queued', 'sending', 'unknown');