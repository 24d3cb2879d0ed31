CREATE TABLE "report_mails" (
	"company_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"language" text NOT NULL,
	"queue_ids" integer[] NOT NULL,
	"user_ids" integer[] NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_mails_company_id_user_id_pk" PRIMARY KEY("company_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "report_mails" ADD CONSTRAINT "report_mails_company_id_user_id_users_company_id_id_fk" FOREIGN KEY ("company_id","user_id") REFERENCES "public"."users"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_mails_due" ON "report_mails" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pings" ON "webhook_deliveries" USING btree ("company_id","webhook_id","due_at") WHERE "webhook_deliveries"."due_at" is not null and "webhook_deliveries"."event" = 'ping';