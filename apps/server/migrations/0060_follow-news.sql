ALTER TABLE "ticket_marks" ADD COLUMN "news_at" timestamp (3) with time zone;--> statement-breakpoint

-- A version that knows of no snooze closes a snoozed ticket, too: the snooze ends with it.
CREATE FUNCTION end_snooze() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.snoozed_until := NULL;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER tickets_closed_snooze BEFORE UPDATE OF status ON tickets FOR EACH ROW
  WHEN (NEW.status = 'closed' AND NEW.snoozed_until IS NOT NULL) EXECUTE FUNCTION end_snooze();
