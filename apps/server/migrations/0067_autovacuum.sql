-- PostgreSQL cleans a table when a fifth of it is dead: of a hundred million messages that is after twenty million. Long
-- tables are cleaned and analysed in smaller pieces, those with a few rows that change all the time by their number.
ALTER TABLE messages SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE tickets SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE ticket_history SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE contacts SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE inbound_events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE cloud_deliveries SET (autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE cloud_sent SET (autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE campaign_dispatches SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE whatsapp_keys SET (autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE ticket_counts SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);--> statement-breakpoint
ALTER TABLE contact_counts SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);--> statement-breakpoint
ALTER TABLE whatsapp_leases SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);--> statement-breakpoint
ALTER TABLE processes SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);--> statement-breakpoint
ALTER TABLE sessions SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
