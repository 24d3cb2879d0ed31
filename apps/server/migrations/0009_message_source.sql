ALTER TABLE "messages" ADD COLUMN "source" text DEFAULT 'person' NOT NULL;--> statement-breakpoint
-- What left through the outbox without an author was said by the connection itself; what was heard was typed on the phone.
UPDATE "messages" SET "source" = CASE
  WHEN NOT "from_me" THEN 'contact'
  WHEN "outbox" IS NULL THEN 'phone'
  ELSE 'greeting' END
WHERE NOT "from_me" OR "user_id" IS NULL;
