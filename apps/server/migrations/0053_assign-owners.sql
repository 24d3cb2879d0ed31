ALTER TABLE "contacts" ADD COLUMN "owner_id" integer;--> statement-breakpoint
ALTER TABLE "user_authorizations" ADD COLUMN "only_own_contacts" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_company_id_owner_id_users_company_id_id_fk" FOREIGN KEY ("company_id","owner_id") REFERENCES "public"."users"("company_id","id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX "contacts_owner" ON "contacts" USING btree ("company_id","owner_id","words","id") WHERE "contacts"."owner_id" is not null;