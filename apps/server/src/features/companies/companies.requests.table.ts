import { index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from './companies.table.ts'

/** Actions that were asked for by an id of the caller: the same request is carried out once. */
export const companyRequests = pgTable(
  'company_requests',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    /** Of what was asked for: another content under the same id is refused. */
    content: uuid('content').notNull(),
    /** The id of what it made; null: nothing that is named. */
    result: integer('result'),
    at: instantColumn('at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('company_requests_age').using('brin', table.at),
  ],
)
