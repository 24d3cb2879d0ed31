CREATE TABLE "visit_looks" (
	"company_id" integer NOT NULL,
	"visit_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"subject_id" integer DEFAULT 0 NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "visit_looks_company_id_visit_id_subject_subject_id_pk" PRIMARY KEY("company_id","visit_id","subject","subject_id")
);
--> statement-breakpoint
CREATE TABLE "visits" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"company_id" integer NOT NULL,
	"visitor_id" integer NOT NULL,
	"visitor_name" text NOT NULL,
	"visitor_email" text NOT NULL,
	"session_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "visits_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "visit_looks" ADD CONSTRAINT "visit_looks_company_id_visit_id_visits_company_id_id_fk" FOREIGN KEY ("company_id","visit_id") REFERENCES "public"."visits"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visits" ADD CONSTRAINT "visits_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "visits_newest" ON "visits" USING btree ("company_id","started_at");