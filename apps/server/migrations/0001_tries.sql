ALTER TABLE "inbound_events" ADD COLUMN "due_at" timestamp (3) with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "message_operations" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "message_operations" ADD COLUMN "due_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "retry_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "leaves_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "messages_retry" ON "messages" USING btree ("company_id","whatsapp_id","contact_id") WHERE "messages"."retry_at" is not null;