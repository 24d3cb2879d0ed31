CREATE TABLE "charges" (
	"company_id" integer NOT NULL,
	"invoice_id" integer NOT NULL,
	"reference" uuid DEFAULT gen_random_uuid() NOT NULL,
	"charge_id" text,
	"state" text DEFAULT 'wanted' NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "charges_company_id_invoice_id_pk" PRIMARY KEY("company_id","invoice_id")
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"company_id" integer NOT NULL,
	"event_id" text NOT NULL,
	"invoice_id" integer NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_events_company_id_event_id_pk" PRIMARY KEY("company_id","event_id")
);
--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "payment_problem" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "payment_events_company_id_invoice_id_charges_company_id_invoice_id_fk" FOREIGN KEY ("company_id","invoice_id") REFERENCES "public"."charges"("company_id","invoice_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "charges_reference" ON "charges" USING btree ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "charges_charge" ON "charges" USING btree ("charge_id");--> statement-breakpoint
CREATE INDEX "charges_due" ON "charges" USING btree ("due_at") WHERE "charges"."state" in ('wanted', 'open', 'unwanted');--> statement-breakpoint
CREATE INDEX "payment_events_invoice" ON "payment_events" USING btree ("company_id","invoice_id");