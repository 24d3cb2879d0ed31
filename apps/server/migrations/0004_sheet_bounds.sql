ALTER TABLE "contact_sheets" ADD COLUMN "fault_row" integer;--> statement-breakpoint
ALTER TABLE "user_authorizations" ADD COLUMN "allow_import_contacts" boolean DEFAULT false NOT NULL;