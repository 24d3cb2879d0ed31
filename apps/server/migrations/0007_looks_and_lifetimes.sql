DROP INDEX "bot_sessions_due";--> statement-breakpoint
DROP INDEX "schedules_due";--> statement-breakpoint
CREATE INDEX "gpt_answers_age" ON "gpt_answers" USING brin ("at");--> statement-breakpoint
CREATE INDEX "gpt_dialogs_age" ON "gpt_dialogs" USING brin ("ended_at");--> statement-breakpoint
CREATE INDEX "bot_calls_age" ON "bot_calls" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "cloud_sent_age" ON "cloud_sent" USING brin ("asked_at");--> statement-breakpoint
CREATE INDEX "flow_runs_age" ON "flow_runs" USING brin ("ended_at");--> statement-breakpoint
CREATE INDEX "bot_sessions_due" ON "bot_sessions" USING btree ("company_id","due_at") WHERE "bot_sessions"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("company_id","next_at") WHERE "schedules"."next_at" is not null;