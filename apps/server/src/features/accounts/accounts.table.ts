import { foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/columns.ts'
import type { Letter } from '../../platform/mail.letter.ts'
import { sql } from '../../platform/sql.ts'
import { users } from '../users/users.table.ts'

/** Links in letters that change an account: to a new password, or to a new address. Used once, the row is gone. */
export const accountLinks = pgTable(
  'account_links',
  {
    id: uuid('id').notNull().defaultRandom(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    purpose: text('purpose').notNull().$type<'reset' | 'email'>(),
    /** The address that is to be taken. */
    email: text('email').notNull().default(''),
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
