import { check, foreignKey, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyId, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { users } from '../users/users.table.ts'

export const tags = pgTable(
  'tags',
  {
    id: serialId(),
    companyId: companyId(),
    name: text('name').notNull(),
    color: text('color').notNull(),
    kanban: integer('kanban').notNull().default(0).$type<0 | 1>(),
    /** The order of the lanes of the board; lanes without one follow, by name. */
    position: integer('position'),
    userId: integer('user_id'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('tags_name').on(table.companyId, sql`lower(${table.name})`),
    foreignKey({ columns: [table.companyId, table.userId], foreignColumns: [users.companyId, users.id] }),
    check('tags_kanban', sql`${table.kanban} in (0, 1)`),
  ],
)
