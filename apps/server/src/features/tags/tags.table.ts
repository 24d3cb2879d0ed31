import { check, foreignKey, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyId, serialId } from '../../platform/columns.ts'
import { sql } from '../../platform/sql.ts'
import { users } from '../users/users.table.ts'

/** Coloured labels of tickets. Which ticket has which is a row of `ticket_tags`. */
export const tags = pgTable(
  'tags',
  {
    id: serialId(),
    companyId: companyId(),
    name: text('name').notNull(),
    color: text('color').notNull(),
    kanban: integer('kanban').notNull().default(0).$type<0 | 1>(),
    userId: integer('user_id'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('tags_name').on(table.companyId, sql`lower(${table.name})`),
    foreignKey({ columns: [table.companyId, table.userId], foreignColumns: [users.companyId, users.id] }),
    check('tags_kanban', sql`${table.kanban} in (0, 1)`),
  ],
)
