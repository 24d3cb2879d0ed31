import { foreignKey, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { companyId, instant } from '../../platform/columns.ts'
import { sql } from '../../platform/sql.ts'
import { users } from '../users/users.table.ts'

/** One login of one user: the family of its refresh tokens, of which only the newest is good. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    /** SHA-256 of the current refresh token, and of the one before it. */
    tokenHash: text('token_hash').notNull(),
    formerHash: text('former_hash').notNull().default(''),
    rotatedAt: instant('rotated_at').notNull().default(sql`now()`),
    expiresAt: instant('expires_at').notNull(),
    userAgent: text('user_agent').notNull().default(''),
    ip: text('ip').notNull().default(''),
    createdAt: instant('created_at').notNull().default(sql`now()`),
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
