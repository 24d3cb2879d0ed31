import { boolean, foreignKey, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { users } from '../users/users.table.ts'

/** A session: the family of its refresh tokens, of which only the newest is valid (auth.tokens.rules.ts). */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    /** How often the token was rotated. */
    generation: integer('generation').notNull().default(0),
    rotatedAt: instantColumn('rotated_at').notNull().default(sql`now()`),
    /** Whether the newest token was sent a second time. */
    isRepeated: boolean('is_repeated').notNull().default(false),
    expiresAt: instantColumn('expires_at').notNull(),
    userAgent: text('user_agent').notNull().default(''),
    ip: text('ip').notNull().default(''),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    // what ends with a session refers to it
    unique('sessions_of_company').on(table.companyId, table.id),
    index('sessions_user').on(table.companyId, table.userId),
    index('sessions_expiry').on(table.expiresAt),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)

/** Failed logins by account or device. A table of the platform: an e-mail may belong to no user. */
export const loginTries = pgTable(
  'login_tries',
  {
    /** SHA-256 in hexadecimal. */
    what: text('what').primaryKey(),
    failures: integer('failures').notNull(),
    triedAt: instantColumn('tried_at').notNull(),
    /** Tries before this are refused. */
    nextAt: instantColumn('next_at').notNull(),
  },
  table => [index('login_tries_age').on(table.triedAt)],
)
