CREATE TABLE "secret_uses" (
	"company_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"secret" text NOT NULL,
	"name" text NOT NULL,
	"call" text NOT NULL,
	"network" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secret_uses_company_id_user_id_kind_secret_call_network_pk" PRIMARY KEY("company_id","user_id","kind","secret","call","network")
);
--> statement-breakpoint
ALTER TABLE "message_versions" ADD COLUMN "media_type" text;--> statement-breakpoint
ALTER TABLE "secret_uses" ADD CONSTRAINT "secret_uses_company_id_user_id_users_company_id_id_fk" FOREIGN KEY ("company_id","user_id") REFERENCES "public"."users"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "secret_uses_old" ON "secret_uses" USING brin ("last_at");