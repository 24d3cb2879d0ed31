CREATE TABLE "drafts" (
	"company_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"ticket_id" integer NOT NULL,
	"body" text NOT NULL,
	"quoted_id" uuid,
	"at" bigint NOT NULL,
	"saved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "drafts_company_id_user_id_ticket_id_pk" PRIMARY KEY("company_id","user_id","ticket_id")
);
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "failed_messages" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_company_id_user_id_users_company_id_id_fk" FOREIGN KEY ("company_id","user_id") REFERENCES "public"."users"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_company_id_ticket_id_tickets_company_id_id_fk" FOREIGN KEY ("company_id","ticket_id") REFERENCES "public"."tickets"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "drafts_ticket" ON "drafts" USING btree ("company_id","ticket_id");--> statement-breakpoint
CREATE INDEX "drafts_age" ON "drafts" USING brin ("saved_at");--> statement-breakpoint
CREATE INDEX "tickets_failed" ON "tickets" USING btree ("company_id","status","updated_at","id") WHERE "tickets"."failed_messages" > 0;--> statement-breakpoint

-- How many messages of the company failed in a ticket, and were not sent again, kept in the transaction that changes it.
CREATE FUNCTION count_failed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.from_me AND OLD.ack = 0 AND NOT OLD.is_deleted THEN
    UPDATE tickets SET failed_messages = greatest(failed_messages - 1, 0), version = version + 1
    WHERE company_id = OLD.company_id AND id = OLD.ticket_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.from_me AND NEW.ack = 0 AND NOT NEW.is_deleted THEN
    UPDATE tickets SET failed_messages = failed_messages + 1, version = version + 1
    WHERE company_id = NEW.company_id AND id = NEW.ticket_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint

CREATE TRIGGER message_failed_in AFTER INSERT ON messages FOR EACH ROW
WHEN (NEW.from_me AND NEW.ack = 0 AND NOT NEW.is_deleted) EXECUTE FUNCTION count_failed();--> statement-breakpoint

CREATE TRIGGER message_failed AFTER UPDATE OF ack, is_deleted, ticket_id ON messages FOR EACH ROW
WHEN ((OLD.from_me AND OLD.ack = 0 AND NOT OLD.is_deleted) <> (NEW.from_me AND NEW.ack = 0 AND NOT NEW.is_deleted)
  OR OLD.from_me AND OLD.ack = 0 AND OLD.ticket_id <> NEW.ticket_id) EXECUTE FUNCTION count_failed();--> statement-breakpoint

CREATE TRIGGER message_failed_out AFTER DELETE ON messages FOR EACH ROW
WHEN (OLD.from_me AND OLD.ack = 0 AND NOT OLD.is_deleted) EXECUTE FUNCTION count_failed();
