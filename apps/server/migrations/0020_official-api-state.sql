CREATE TABLE "marketing_choices" (
	"company_id" integer NOT NULL,
	"key" text NOT NULL,
	"is_wanted" boolean NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "marketing_choices_company_id_key_pk" PRIMARY KEY("company_id","key")
);
--> statement-breakpoint
ALTER TABLE "whatsapp_cloud" ADD COLUMN "number_status" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "whatsapp_cloud" ADD COLUMN "name_status" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "whatsapp_cloud" ADD COLUMN "ban_state" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "whatsapp_cloud" ADD COLUMN "ban_date" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "whatsapp_cloud" ADD COLUMN "ban_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "whatsapp_cloud" ADD COLUMN "restrictions" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "whatsapp_cloud" ADD COLUMN "restricted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "whatsapp_cloud" ADD COLUMN "violation" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "whatsapp_cloud" ADD COLUMN "violated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "marketing_choices" ADD CONSTRAINT "marketing_choices_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "marketing_choices_at" ON "marketing_choices" USING brin ("at");