import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

export const pauseReasons = pgTable(
  'pause_reasons',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** In no list from then on; reports go on naming the pauses that had it. */
    removedAt: instantColumn('removed_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('pause_reasons_by_name').on(table.companyId, sql`folded(${table.name})`),
  ],
)
