import { index, pgTable, uuid } from 'drizzle-orm/pg-core'
import { instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'

/** Documents of which a company signed up in the store, as a digest: also of companies that are deleted since. */
export const trialDocuments = pgTable(
  'trial_documents',
  {
    digest: uuid('digest').primaryKey(),
    at: instantColumn('at').notNull().default(sql`now()`),
  },
  table => [index('trial_documents_age').using('brin', table.at)],
)
