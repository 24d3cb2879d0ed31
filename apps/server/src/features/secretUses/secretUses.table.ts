import type { SecretCall, SecretKind } from '@balcao/contract/secretUses.ts'
import { foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { users } from '../users/users.table.ts'

/** Calls of programs in a user's name, one row for each secret, kind of call and network. */
export const secretUses = pgTable(
  'secret_uses',
  {
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    kind: text('kind').notNull().$type<SecretKind>(),
    /** The handle of the secret, which nothing is called with. */
    secret: text('secret').notNull(),
    name: text('name').notNull(),
    call: text('call').notNull().$type<SecretCall>(),
    network: text('network').notNull(),
    times: integer('times').notNull().default(1),
    since: instantColumn('since').notNull().default(sql`now()`),
    lastAt: instantColumn('last_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({
      columns: [table.companyId, table.userId, table.kind, table.secret, table.call, table.network],
    }),
    index('secret_uses_old').using('brin', table.lastAt),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)
