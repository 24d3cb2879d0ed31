import { foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Letter } from '../../platform/outbound/letter.ts'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { users } from '../users/users.table.ts'

/** Links in letters for a new password or a new address. The row of a used one is deleted. */
export const accountLinks = pgTable(
  'account_links',
  {
    id: uuid('id').notNull().defaultRandom(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    purpose: text('purpose').notNull().$type<'reset' | 'email'>(),
    email: text('email').notNull().default(''),
    /** The session that requested it, which is kept. */
    sessionId: uuid('session_id'),
    language: text('language').notNull().$type<Letter['language']>(),
    expiresAt: instantColumn('expires_at').notNull(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('account_links_id').on(table.id),
    index('account_links_user').on(table.companyId, table.userId),
    index('account_links_expiry').on(table.expiresAt),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)
