import { boolean, foreignKey, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/columns.ts'
import { sql } from '../../platform/sql.ts'
import { users } from '../users/users.table.ts'

/** One login of one user: the family of its refresh tokens, of which only the newest is good (auth.tokens.ts). */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    /** How often the token was traded. */
    generation: integer('generation').notNull().default(0),
    rotatedAt: instantColumn('rotated_at').notNull().default(sql`now()`),
    /** Whether the newest token was answered a second time, to somebody whose first answer was lost. */
    isRepeated: boolean('is_repeated').notNull().default(false),
    expiresAt: instantColumn('expires_at').notNull(),
    /** Who held it when it was traded last. */
    userAgent: text('user_agent').notNull().default(''),
    ip: text('ip').notNull().default(''),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    index('sessions_user').on(table.companyId, table.userId),
    index('sessions_expiry').on(table.expiresAt),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)
