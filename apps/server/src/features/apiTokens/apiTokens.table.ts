import type { TicketCreateOrUpdate, TicketSetStatus } from '@balcao/contract/apiTokens.ts'
import { foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token, in hexadecimal: how it is found. */
    hash: text('hash').notNull(),
    /** Its last characters. */
    ending: text('ending').notNull().default(''),
    /** What lists name it by. */
    handle: uuid('handle').notNull().defaultRandom(),
    name: text('name').notNull(),
    ticketSetStatus: text('ticket_set_status').notNull().$type<TicketSetStatus>(),
    ticketCreateOrUpdate: text('ticket_create_or_update').notNull().$type<TicketCreateOrUpdate>(),
    userId: integer('user_id'),
    queueId: integer('queue_id'),
    whatsappId: integer('whatsapp_id'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
    expiresAt: instantColumn('expires_at'),
    usedAt: instantColumn('used_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('api_tokens_hash').on(table.hash),
    uniqueIndex('api_tokens_handle').on(table.companyId, table.handle),
    index('api_tokens_user').on(table.companyId, table.userId),
    foreignKey({ columns: [table.companyId, table.userId], foreignColumns: [users.companyId, users.id] }),
    foreignKey({ columns: [table.companyId, table.queueId], foreignColumns: [queues.companyId, queues.id] }),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }),
  ],
)
