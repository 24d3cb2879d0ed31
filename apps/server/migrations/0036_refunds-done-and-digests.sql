ALTER TABLE "former_receipts" ADD COLUMN "digest" text;--> statement-breakpoint
ALTER TABLE "payment_refunds" ADD COLUMN "done_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "former_receipts_digest" ON "former_receipts" USING btree ("digest") WHERE "former_receipts"."digest" is not null;