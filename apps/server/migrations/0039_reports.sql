CREATE TABLE "ticket_services" (
	"company_id" integer NOT NULL,
	"history_id" bigint NOT NULL,
	"closed_at" timestamp (3) with time zone NOT NULL,
	"ticket_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"queue_id" integer NOT NULL,
	"whatsapp_id" integer NOT NULL,
	"wait_seconds" integer,
	"serve_seconds" integer,
	CONSTRAINT "ticket_services_company_id_history_id_pk" PRIMARY KEY("company_id","history_id")
);
--> statement-breakpoint
ALTER TABLE "ticket_services" ADD CONSTRAINT "ticket_services_company_id_ticket_id_tickets_company_id_id_fk" FOREIGN KEY ("company_id","ticket_id") REFERENCES "public"."tickets"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_services_closed" ON "ticket_services" USING btree ("company_id","closed_at");--> statement-breakpoint
CREATE INDEX "ticket_services_ticket" ON "ticket_services" USING btree ("company_id","ticket_id");--> statement-breakpoint
-- What a closing ended: from the creation, or from when the ticket was last opened again, to this line of its history.
-- A move that was taken back counts as not made. A ticket that an import made was not served until somebody opened it.
CREATE FUNCTION write_ticket_service(closing ticket_history) RETURNS void LANGUAGE sql AS $$
  WITH moves AS (
    SELECT *, coalesce(lead(what) OVER (ORDER BY id) = 'undone', false) AS taken_back
    FROM ticket_history
    WHERE company_id = closing.company_id AND ticket_id = closing.ticket_id AND id <= closing.id
  ), made AS (
    SELECT * FROM moves WHERE what <> 'undone' AND NOT taken_back
  ), again AS (
    SELECT id, at FROM made WHERE from_status = 'closed' AND to_status <> 'closed' ORDER BY id DESC LIMIT 1
  ), accepted AS (
    SELECT at, from_status FROM made
    WHERE to_status = 'open' AND from_status IS DISTINCT FROM 'open' AND id >= coalesce((SELECT id FROM again), 0)
    ORDER BY id LIMIT 1
  )
  INSERT INTO ticket_services (company_id, history_id, closed_at, ticket_id, user_id, queue_id, whatsapp_id, wait_seconds,
    serve_seconds)
  SELECT closing.company_id, closing.id, closing.at, t.id, coalesce(closing.to_user_id, 0),
    coalesce(closing.to_queue_id, 0), coalesce(t.whatsapp_id, 0),
    CASE WHEN accepted.from_status = 'pending'
      THEN greatest(0, floor(extract(epoch FROM accepted.at - coalesce(again.at, t.created_at))))::int END,
    CASE WHEN accepted.at IS NOT NULL
      THEN greatest(0, floor(extract(epoch FROM closing.at - accepted.at)))::int END
  FROM tickets t LEFT JOIN again ON true LEFT JOIN accepted ON true
  WHERE t.company_id = closing.company_id AND t.id = closing.ticket_id
    AND (t.imported_at IS NULL OR again.id IS NOT NULL)
$$;
--> statement-breakpoint
CREATE FUNCTION keep_ticket_service() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.what <> 'undone' THEN
    PERFORM write_ticket_service(NEW);
  ELSE
    DELETE FROM ticket_services WHERE company_id = NEW.company_id AND history_id = (
      SELECT max(h.id) FROM ticket_history h
      WHERE h.company_id = NEW.company_id AND h.ticket_id = NEW.ticket_id AND h.id < NEW.id
        AND h.to_status = 'closed' AND h.from_status <> 'closed' AND h.what <> 'undone');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ticket_history_served AFTER INSERT ON ticket_history FOR EACH ROW
WHEN (NEW.what <> 'undone' AND NEW.to_status = 'closed' AND NEW.from_status <> 'closed'
  OR NEW.what = 'undone' AND NEW.from_status = 'closed' AND NEW.to_status <> 'closed')
EXECUTE FUNCTION keep_ticket_service();
--> statement-breakpoint
SELECT write_ticket_service(h) FROM ticket_history h
WHERE h.what <> 'undone' AND h.to_status = 'closed' AND h.from_status <> 'closed' AND NOT EXISTS (
  SELECT FROM ticket_history u WHERE u.company_id = h.company_id AND u.ticket_id = h.ticket_id AND u.what = 'undone'
    AND u.id = (SELECT min(n.id) FROM ticket_history n
      WHERE n.company_id = h.company_id AND n.ticket_id = h.ticket_id AND n.id > h.id));
