import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Letter } from '../../platform/outbound/letter.ts'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { userAuthorizations } from '../permissions/permissions.table.ts'

export const invitations = pgTable(
  'invitations',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** The id in the link of its letter; a new letter has a new one. */
    linkId: uuid('link_id').notNull().defaultRandom(),
    email: text('email').notNull(),
    name: text('name').notNull().default(''),
    profile: text('profile').notNull().default('user').$type<'admin' | 'user'>(),
    userAuthorizationId: integer('user_authorization_id'),
    /** No foreign key: it may be deleted before the invitation is accepted. */
    whatsappId: integer('whatsapp_id'),
    /** Queues deleted before it is accepted are left out. */
    queueIds: jsonb('queue_ids').notNull().$type<number[]>(),
    language: text('language').notNull().$type<Letter['language']>(),
    /** The name of the inviting user, kept after their deletion. */
    invitedBy: text('invited_by').notNull(),
    /** No foreign key: goes to an heir, or is deleted, with its user. */
    userId: integer('user_id'),
    expiresAt: instantColumn('expires_at').notNull(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('invitations_link').on(table.linkId),
    uniqueIndex('invitations_email').on(table.companyId, sql`lower(${table.email})`),
    index('invitations_group').on(table.companyId, table.userAuthorizationId),
    foreignKey({
      columns: [table.companyId, table.userAuthorizationId],
      foreignColumns: [userAuthorizations.companyId, userAuthorizations.id],
    }),
  ],
)
