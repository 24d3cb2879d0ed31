CREATE TABLE "report_targets" (
	"company_id" integer NOT NULL,
	"wait_minutes" integer,
	"serve_minutes" integer,
	"closed_per_day" integer,
	CONSTRAINT "report_targets_company_id_pk" PRIMARY KEY("company_id")
);
--> statement-breakpoint
ALTER TABLE "report_days_kept" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "report_targets" ADD CONSTRAINT "report_targets_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;