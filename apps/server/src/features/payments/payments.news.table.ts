import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { NewsKind } from '@balcao/contract/payments.ts'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'

/** What payment providers say beside the state of charges, until a master reads it; of the platform. */
export const providerNews = pgTable(
  'provider_news',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    provider: text('provider').notNull().$type<CollectorName>(),
    event: text('event').notNull(),
    kind: text('kind').notNull().$type<NewsKind>(),
    subject: text('subject').notNull(),
    detail: text('detail').notNull(),
    /** The provider’s id of the last time: the same may come twice. */
    eventId: text('event_id').notNull(),
    times: integer('times').notNull().default(1),
    at: instantColumn('at').notNull().default(sql`now()`),
    readAt: instantColumn('read_at'),
  },
  table => [
    uniqueIndex('provider_news_once').on(table.provider, table.event, table.subject),
    index('provider_news_unread').on(table.at).where(sql`${table.readAt} is null`),
    index('provider_news_age').using('brin', table.at),
  ],
)
