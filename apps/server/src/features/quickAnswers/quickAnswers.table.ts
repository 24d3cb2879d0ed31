import { check, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'

export const quickAnswers = pgTable(
  'quick_answers',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    shortcut: text('shortcut').notNull(),
    message: text('message').notNull(),
    queueId: integer('queue_id'),
    userId: integer('user_id'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('quick_answers_by_shortcut').on(table.companyId, sql`folded(${table.shortcut})`),
    foreignKey({ columns: [table.companyId, table.queueId], foreignColumns: [queues.companyId, queues.id] }),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    check('quick_answers_owner', sql`num_nonnulls(${table.queueId}, ${table.userId}) <= 1`),
  ],
)
