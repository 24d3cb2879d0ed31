CREATE TABLE "arrivals" (
	"company_id" integer PRIMARY KEY NOT NULL,
	"package" text NOT NULL,
	"done" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "carried_ids" (
	"company_id" integer NOT NULL,
	"space" text NOT NULL,
	"old" text NOT NULL,
	"new" text NOT NULL,
	CONSTRAINT "carried_ids_company_id_space_old_pk" PRIMARY KEY("company_id","space","old")
);
--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "arrival" text;
--> statement-breakpoint
ALTER TABLE "arrivals" ADD CONSTRAINT "arrivals_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "companies_arriving" ON "companies" USING btree ("arrival") WHERE "companies"."arrival" is not null;
