ALTER TABLE "whatsapps" ADD COLUMN "paired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "merge_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "messages_expected" ON "messages" USING btree ("company_id","whatsapp_id","leaves_until") WHERE "messages"."outbox" in ('queued', 'sending', 'unknown');--> statement-breakpoint
UPDATE "whatsapps" SET "paired_at" = "created_at" WHERE "number" <> '';
