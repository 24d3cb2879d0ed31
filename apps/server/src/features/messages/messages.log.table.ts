import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { keysAt, sealedIn } from '../../platform/access/sealed.ts'
import type { ExternalId } from '../../platform/external.ts'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { messages } from './messages.table.ts'

/** The raw message log: every inbound event of a driver, handled or not. */
export const inboundEvents = pgTable(
  'inbound_events',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** Deduplication key: a repeated event has the same. */
    key: text('key').notNull().$type<ExternalId>(),
    /** Events of one chat are handled in order. */
    chat: text('chat').notNull().$type<ExternalId>(),
    /** The event as JSON. */
    event: text('heard').notNull(),
    receivedAt: instantColumn('heard_at').notNull().default(sql`now()`),
    handledAt: instantColumn('handled_at'),
    attempts: integer('attempts').notNull().default(0),
    failure: text('failure').notNull().default(''),
    /** Not handled before; null once it was given up. */
    dueAt: instantColumn('due_at').default(sql`now()`),
    ticketId: integer('ticket_id'),
    /** Milliseconds that handling took. */
    spentMs: integer('spent_ms').notNull().default(0),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('inbound_events_key').on(table.companyId, table.whatsappId, table.key),
    index('inbound_events_waiting')
      .on(table.companyId, table.whatsappId, table.id)
      .where(sql`${table.handledAt} is null`),
    index('inbound_events_heard').on(table.companyId, table.receivedAt),
  ],
)

/** In an event of the raw log it is the source of a file. */
export const sealedOfMessages = [
  ...sealedIn(
    messages,
    {
      what: 'a file of a message that is still to be fetched',
      todo: '',
      forget: (on, { companyId: id, keys }) =>
        on.execute(sql`update messages set media_source = null, media_due = null, version = version + 1,
          media = case when media ->> 'state' = 'loading' then jsonb_set(media, '{state}', '"failed"') else media end
          where company_id = ${id} and id in ${keysAt(keys)}`),
    },
    messages.mediaSource,
  ),
  ...sealedIn(inboundEvents, { what: 'the file of an event in the raw log', todo: '' }, inboundEvents.event),
]
