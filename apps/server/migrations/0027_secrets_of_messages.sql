ALTER TABLE "whatsapp_keys" ADD COLUMN "passing_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "whatsapp_keys_passing" ON "whatsapp_keys" USING brin ("passing_since");