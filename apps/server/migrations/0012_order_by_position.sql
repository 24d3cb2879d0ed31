DROP INDEX "messages_by_ticket";--> statement-breakpoint
DROP INDEX "messages_by_contact";--> statement-breakpoint
ALTER TABLE "messages" ALTER COLUMN "position" SET INCREMENT BY 2;--> statement-breakpoint
ALTER TABLE "messages" ALTER COLUMN "position" SET START WITH 2;--> statement-breakpoint
-- Conversations are in the order of their positions from now on: what stands keeps the order that it was shown in.
-- Places are even, so that imported messages have odd ones between.
UPDATE "messages" m SET "position" = placed."position" * 2
FROM (
  SELECT company_id, contact_id, id, row_number() OVER (PARTITION BY company_id, contact_id ORDER BY created_at, "position") AS nth
  FROM "messages"
) shown JOIN (
  SELECT company_id, contact_id, "position", row_number() OVER (PARTITION BY company_id, contact_id ORDER BY "position") AS nth
  FROM "messages"
) placed USING (company_id, contact_id, nth)
WHERE m.company_id = shown.company_id AND m.id = shown.id;--> statement-breakpoint
SELECT setval(pg_get_serial_sequence('messages', 'position'), (SELECT coalesce(max("position"), 0) + 2 FROM "messages"), false);--> statement-breakpoint
CREATE INDEX "messages_by_ticket" ON "messages" USING btree ("company_id","ticket_id","position","id");--> statement-breakpoint
CREATE INDEX "messages_by_contact" ON "messages" USING btree ("company_id","contact_id","position","id");
