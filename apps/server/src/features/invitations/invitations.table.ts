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
import { companyId, instantColumn, serialId } from '../../platform/columns.ts'
import type { Letter } from '../../platform/mail.letter.ts'
import { sql } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { userAuthorizations } from '../permissions/permissions.table.ts'

/** Who was invited and has not accepted: with that the row is gone and a user is there. */
export const invitations = pgTable(
  'invitations',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** What the link in its letter names; a new letter has a new one. */
    linkId: uuid('link_id').notNull().defaultRandom(),
    email: text('email').notNull(),
    name: text('name').notNull().default(''),
    profile: text('profile').notNull().default('user').$type<'admin' | 'user'>(),
    userAuthorizationId: integer('user_authorization_id'),
    /** No foreign key: users come before connections. */
    whatsappId: integer('whatsapp_id'),
    /** Those that are gone by the time it is accepted are left out. */
    queueIds: jsonb('queue_ids').notNull().$type<number[]>(),
    language: text('language').notNull().$type<Letter['language']>(),
    /** Who invited; the name outlives the user. */
    invitedBy: text('invited_by').notNull(),
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
