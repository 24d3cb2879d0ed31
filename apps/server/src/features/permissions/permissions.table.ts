import { boolean, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

export const userAuthorizations = pgTable(
  'user_authorizations',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    allowNoQueue: integer('allow_no_queue').notNull().default(1).$type<0 | 1>(),
    allowMultipleTickets: integer('allow_multiple_tickets').notNull().default(0).$type<0 | 1>(),
    viewMessagesByTicket: integer('view_messages_by_ticket').notNull().default(0).$type<0 | 1 | 2>(),
    disableGreeting: boolean('disable_greeting').notNull().default(false),
    disableSignature: boolean('disable_signature').notNull().default(false),
    allowCategorizeContacts: boolean('allow_categorize_contacts').notNull().default(true),
    allowCreateCategoryContacts: boolean('allow_create_category_contacts').notNull().default(true),
    allowViewPendingTickets: boolean('allow_view_pending_tickets').notNull().default(true),
    enableAdministration: integer('enable_administration').notNull().default(1).$type<0 | 1>(),
    enableDash: integer('enable_dash').notNull().default(1).$type<0 | 1>(),
    allowTicketExport: boolean('allow_ticket_export').notNull().default(false),
    allowImportContacts: boolean('allow_import_contacts').notNull().default(false),
    allowDeleteOptOuts: boolean('allow_delete_opt_outs').notNull().default(false),
    allowDeleteShared: boolean('allow_delete_shared').notNull().default(false),
    allowDefaultBots: boolean('allow_default_bots').notNull().default(false),
    allowWebhooks: boolean('allow_webhooks').notNull().default(false),
    allowSharedViews: boolean('allow_shared_views').notNull().default(false),
    onlyOwnContacts: boolean('only_own_contacts').notNull().default(false),
    allowTeam: boolean('allow_team').notNull().default(false),
    allowInternalChat: boolean('allow_internal_chat').notNull().default(true),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('user_authorizations_name').on(table.companyId, sql`lower(${table.name})`),
  ],
)
