import { DEFAULT_VOLUME } from '@balcao/contract/users.ts'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { userAuthorizations } from '../permissions/permissions.table.ts'
import { queues } from '../queues/queues.table.ts'

export const users = pgTable(
  'users',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    profile: text('profile').notNull().default('user').$type<'admin' | 'user'>(),
    /** The connection on which the user opens tickets. No foreign key: users are created before connections. */
    whatsappId: integer('whatsapp_id'),
    userAuthorizationId: integer('user_authorization_id'),
    greetingMessage: text('greeting_message').notNull().default(''),
    farewellMessage: text('farewell_message').notNull().default(''),
    enableGreeting: boolean('enable_greeting').notNull().default(false),
    signMessage: boolean('sign_message').notNull().default(false),
    showAllTickets: boolean('show_all_tickets').notNull().default(false),
    payPanelAccess: boolean('pay_panel_access').notNull().default(false),
    master: integer('master').notNull().default(0).$type<0 | 1>(),
    /** Since when it cannot log in, since the company has more users than its plan; null: it does not rest. */
    restingSince: instantColumn('resting_since'),
    credentialsAt: instantColumn('credentials_at').notNull().default(sql`now()`),
    volume: integer('volume').notNull().default(DEFAULT_VOLUME),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
    updatedAt: instantColumn('updated_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    index('users_resting').on(table.companyId).where(sql`${table.restingSince} is not null`),
    index('users_authorization').on(table.companyId, table.userAuthorizationId),
    foreignKey({
      columns: [table.companyId, table.userAuthorizationId],
      foreignColumns: [userAuthorizations.companyId, userAuthorizations.id],
    }),
    check('users_profile', sql`${table.profile} in ('admin', 'user')`),
  ],
)

/** The names of deleted users, for the history of tickets. */
export const formerUsers = pgTable(
  'former_users',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    id: integer('id').notNull(),
    name: text('name').notNull(),
    leftAt: instantColumn('left_at').notNull().default(sql`now()`),
  },
  table => [primaryKey({ columns: [table.companyId, table.id] })],
)

export const userQueues = pgTable(
  'user_queues',
  {
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    queueId: integer('queue_id').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.userId, table.queueId] }),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.queueId],
      foreignColumns: [queues.companyId, queues.id],
    }).onDelete('cascade'),
    index('user_queues_queue').on(table.companyId, table.queueId),
  ],
)
