CREATE TABLE "channel_processes" (
	"instance" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
