import { boolean, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/columns.ts'
import { sql } from '../../platform/sql.ts'
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
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('user_authorizations_name').on(table.companyId, sql`lower(${table.name})`),
  ],
)
