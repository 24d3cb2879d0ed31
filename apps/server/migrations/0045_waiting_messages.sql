ALTER TABLE "messages" ADD COLUMN "waits" boolean DEFAULT false NOT NULL;--> statement-breakpoint
DROP INDEX "messages_retry";--> statement-breakpoint
DROP INDEX "messages_expected";--> statement-breakpoint
-- The version before, which may run beside this one, writes the state alone.
CREATE FUNCTION messages_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.waits := coalesce(NEW.outbox IN ('queued', 'sending', 'unknown'), false);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER messages_waits BEFORE INSERT OR UPDATE OF outbox ON messages FOR EACH ROW
  WHEN (NEW.waits IS DISTINCT FROM coalesce(NEW.outbox IN ('queued', 'sending', 'unknown'), false))
  EXECUTE FUNCTION messages_waits();--> statement-breakpoint
-- What waits is little, and found by the index of before. The new one is built here where that takes a moment; lateIndexes of messages.table.ts builds it beside the work where there
-- are more messages, and removes the one that it replaces.
CREATE FUNCTION flag_waiting() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE messages SET waits = true WHERE outbox IN ('queued', 'sending', 'unknown');
  IF (SELECT count(*) FROM (SELECT FROM messages LIMIT 20001) AS few) <= 20000 THEN
    CREATE INDEX messages_waiting ON messages
      (company_id, whatsapp_id, coalesce(typing_from, due_at, '-infinity'), position) WHERE waits;
    DROP INDEX messages_outbox;
  END IF;
END $$;--> statement-breakpoint
SELECT flag_waiting();--> statement-breakpoint
DROP FUNCTION flag_waiting();
