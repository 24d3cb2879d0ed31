CREATE TABLE "collectors" (
	"company_id" integer NOT NULL,
	"name" text NOT NULL,
	"token" text NOT NULL,
	"webhook_secret" text NOT NULL,
	"token_end" text DEFAULT '' NOT NULL,
	CONSTRAINT "collectors_company_id_name_pk" PRIMARY KEY("company_id","name")
);
--> statement-breakpoint
DROP INDEX "charges_charge";--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "provider" text DEFAULT 'asaas' NOT NULL;--> statement-breakpoint
ALTER TABLE "collectors" ADD CONSTRAINT "collectors_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "collectors_name" ON "collectors" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "charges_charge" ON "charges" USING btree ("provider","charge_id");