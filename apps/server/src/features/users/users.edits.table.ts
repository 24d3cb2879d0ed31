import { foreignKey, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { users } from './users.table.ts'

/** Who changed a record last, for whoever edits it at the same time. */
export const recordEdits = pgTable(
  'record_edits',
  {
    companyId: companyId(),
    /** Follows from the path by which it is read. */
    record: uuid('record').notNull(),
    userId: integer('user_id').notNull(),
    at: instantColumn('at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.record] }),
    index('record_edits_user').on(table.companyId, table.userId),
    index('record_edits_old').using('brin', table.at),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)
