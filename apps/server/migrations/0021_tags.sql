ALTER TABLE "tags" ADD COLUMN "kanban" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tags" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_company_id_user_id_users_company_id_id_fk" FOREIGN KEY ("company_id","user_id") REFERENCES "public"."users"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_kanban" CHECK ("tags"."kanban" in (0, 1));