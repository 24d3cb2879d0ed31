import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

export const quickAnswers = pgTable(
  'quick_answers',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    shortcut: text('shortcut').notNull(),
    message: text('message').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('quick_answers_by_shortcut').on(table.companyId, sql`folded(${table.shortcut})`),
  ],
)
