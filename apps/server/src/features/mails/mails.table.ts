import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Link } from '../../platform/access/links.ts'
import type { Letter } from '../../platform/outbound/letter.ts'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

/** Letters of the product on their way out. None holds its link: that is signed when it is sent. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').notNull().defaultRandom(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** One e-mail per cause, however often it is written. */
    cause: text('cause').notNull(),
    recipient: text('recipient').notNull(),
    letter: jsonb('letter').notNull().$type<Letter>(),
    link: jsonb('link').$type<Link>(),
    state: text('state').notNull().default('waiting').$type<'waiting' | 'sent' | 'failed'>(),
    /** Why its server refused it finally. */
    reason: text('reason').notNull().default(''),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('mails_cause').on(table.companyId, table.cause),
    index('mails_age').on(table.createdAt),
  ],
)
