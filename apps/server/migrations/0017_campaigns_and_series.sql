ALTER TABLE "campaign_dispatches" ADD COLUMN "answer_button" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "stand_ins" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "follows_id" integer;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "follows_whom" text;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "every_days" integer;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "until_day" text;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "batch" uuid;--> statement-breakpoint
CREATE INDEX "campaigns_follows" ON "campaigns" USING btree ("company_id","follows_id") WHERE "campaigns"."follows_id" is not null;--> statement-breakpoint
CREATE INDEX "schedules_batch" ON "schedules" USING btree ("company_id","batch") WHERE "schedules"."batch" is not null;