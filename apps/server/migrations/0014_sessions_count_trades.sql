ALTER TABLE "sessions" ADD COLUMN "generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "is_repeated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "simulator_messages_shown" ON "simulator_messages" USING btree ("company_id","whatsapp_id","id") WHERE "simulator_messages"."said"->>'kind' = 'message';