ALTER TABLE "contact_sheets" ALTER COLUMN "columns" SET DEFAULT '{"name":null,"number":null,"email":null,"owner":null}'::jsonb;--> statement-breakpoint
DROP INDEX "user_availability_watched";--> statement-breakpoint
ALTER TABLE "user_availability" ADD COLUMN "absent_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "user_availability_watched" ON "user_availability" USING btree ("company_id","user_id") WHERE "user_availability"."state" in ('available', 'pause') or "user_availability"."cause" = 'hours' or "user_availability"."despite_hours";--> statement-breakpoint

-- Since when a user is absent, whatever the reasons of the pauses meanwhile; also where the version before writes the state.
CREATE FUNCTION keep_absence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.absent_since := CASE WHEN NEW.state = 'available' THEN NULL WHEN OLD.state = 'available' THEN now()
    ELSE coalesce(OLD.absent_since, OLD.since) END;
  RETURN NEW;
END $$;--> statement-breakpoint

CREATE TRIGGER user_availability_absence BEFORE UPDATE ON user_availability FOR EACH ROW
WHEN (OLD.state <> NEW.state OR NEW.absent_since IS NULL) EXECUTE FUNCTION keep_absence();
