CREATE TABLE "message_pins" (
	"company_id" integer NOT NULL,
	"message_id" uuid NOT NULL,
	"pinned_at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "message_pins_company_id_message_id_pk" PRIMARY KEY("company_id","message_id")
);
--> statement-breakpoint
ALTER TABLE "message_operations" ADD COLUMN "mentions" jsonb;--> statement-breakpoint
ALTER TABLE "message_pins" ADD CONSTRAINT "message_pins_company_id_message_id_messages_company_id_id_fk" FOREIGN KEY ("company_id","message_id") REFERENCES "public"."messages"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_pins_until" ON "message_pins" USING btree ("company_id","until");