CREATE INDEX "bot_sessions_due_at" ON "bot_sessions" USING btree ("due_at") WHERE "bot_sessions"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "companies_leaving" ON "companies" USING btree ("leaving_at") WHERE "companies"."leaving_at" is not null;--> statement-breakpoint
-- Its lock keeps an invoice and a new grace apart (settle_company), also the first one.
INSERT INTO "settings" ("key", "value") VALUES ('graceDays', '0') ON CONFLICT DO NOTHING;