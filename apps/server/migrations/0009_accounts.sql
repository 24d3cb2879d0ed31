CREATE TABLE "login_tries" (
	"what" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "messages_shared_files";--> statement-breakpoint
ALTER TABLE "account_links" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "ending" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "handle" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaign_setups" ADD COLUMN "handle" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "user_authorizations" ADD COLUMN "allow_delete_opt_outs" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "user_authorizations" ADD COLUMN "allow_delete_shared" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "user_authorizations" ADD COLUMN "allow_default_bots" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "user_authorizations" ADD COLUMN "allow_webhooks" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_sends" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "credentials_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "user_id" integer;--> statement-breakpoint
CREATE INDEX "login_tries_age" ON "login_tries" USING btree ("tried_at");--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_company_id_user_id_users_company_id_id_fk" FOREIGN KEY ("company_id","user_id") REFERENCES "public"."users"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_handle" ON "api_tokens" USING btree ("company_id","handle");--> statement-breakpoint
CREATE INDEX "api_tokens_user" ON "api_tokens" USING btree ("company_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_setups_handle" ON "campaign_setups" USING btree ("company_id","handle");--> statement-breakpoint
CREATE INDEX "messages_by_file" ON "messages" USING btree ("company_id","media_url") WHERE "messages"."media_url" is not null;--> statement-breakpoint
ALTER TABLE "api_tokens" DROP COLUMN "sealed";