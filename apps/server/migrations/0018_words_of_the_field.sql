-- Names of the glossary: an inbox is a channel in this field, and what is done to a message is an operation.
alter table "inbox" rename to "inbound_events";--> statement-breakpoint
alter table "message_deeds" rename to "message_operations";--> statement-breakpoint
alter index "inbox_key" rename to "inbound_events_key";--> statement-breakpoint
alter index "inbox_waiting" rename to "inbound_events_waiting";--> statement-breakpoint
alter index "inbox_heard" rename to "inbound_events_heard";--> statement-breakpoint
alter index "inbox_company_id_id_pk" rename to "inbound_events_company_id_id_pk";--> statement-breakpoint
alter sequence "inbox_id_seq" rename to "inbound_events_id_seq";--> statement-breakpoint
alter sequence "message_deeds_id_seq" rename to "message_operations_id_seq";--> statement-breakpoint
alter index "message_deeds_waiting" rename to "message_operations_waiting";--> statement-breakpoint
alter index "message_deeds_company_id_id_pk" rename to "message_operations_company_id_id_pk";--> statement-breakpoint
alter table "message_operations" rename constraint "message_deeds_company_id_message_id_messages_company_id_id_fk" to "message_operations_company_id_message_id_messages_company_id_id_fk";
