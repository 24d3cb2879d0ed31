CREATE TABLE "processes" (
	"name" text PRIMARY KEY NOT NULL,
	"instance" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"restarts" integer DEFAULT 0 NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL,
	"cpu" real DEFAULT 0 NOT NULL,
	"memory" bigint DEFAULT 0 NOT NULL,
	"event_loop_delay" real DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "processes_beat" ON "processes" USING btree ("beat_at");