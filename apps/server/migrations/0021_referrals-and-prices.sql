CREATE TABLE "cloud_prices" (
	"company_id" integer NOT NULL,
	"whatsapp_id" integer NOT NULL,
	"wamid" text NOT NULL,
	"category" text NOT NULL,
	"type" text NOT NULL,
	"model" text NOT NULL,
	"billable" boolean NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cloud_prices_company_id_whatsapp_id_wamid_pk" PRIMARY KEY("company_id","whatsapp_id","wamid")
);
--> statement-breakpoint
CREATE TABLE "ticket_referrals" (
	"company_id" integer NOT NULL,
	"ticket_id" integer NOT NULL,
	"key" text NOT NULL,
	"type" text NOT NULL,
	"source_id" text NOT NULL,
	"source_url" text NOT NULL,
	"headline" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ticket_referrals_company_id_ticket_id_key_pk" PRIMARY KEY("company_id","ticket_id","key")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "referral" jsonb;--> statement-breakpoint
ALTER TABLE "cloud_prices" ADD CONSTRAINT "cloud_prices_company_id_whatsapp_id_whatsapps_company_id_id_fk" FOREIGN KEY ("company_id","whatsapp_id") REFERENCES "public"."whatsapps"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_referrals" ADD CONSTRAINT "ticket_referrals_company_id_ticket_id_tickets_company_id_id_fk" FOREIGN KEY ("company_id","ticket_id") REFERENCES "public"."tickets"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cloud_prices_by_time" ON "cloud_prices" USING btree ("company_id","delivered_at");--> statement-breakpoint
CREATE INDEX "cloud_prices_age" ON "cloud_prices" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "ticket_referrals_by_time" ON "ticket_referrals" USING btree ("company_id","at");