import type { ButtonsMessage, CampaignSetup } from '@balcao/contract/campaignSetups.ts'
import type { TicketStatus } from '@balcao/contract/tickets.ts'
import {
  boolean,
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
import { keysAt, sealedIn } from '../../platform/access/sealed.ts'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'

export const campaignSetups = pgTable(
  'campaign_setups',
  {
    /** Also the token that makes campaigns in its owner's name: for admins and the owner. */
    id: uuid('id').notNull(),
    /** What others of the company name it by. */
    handle: uuid('handle').notNull().defaultRandom(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    userId: integer('user_id'),
    ticketSetStatus: text('ticket_set_status').notNull().$type<TicketStatus>(),
    tMax: integer('t_max').notNull(),
    tMin: integer('t_min').notNull(),
    interval: integer('interval_seconds').notNull(),
    autoStart: boolean('auto_start').notNull(),
    queueId: integer('queue_id'),
    jsonButtonOrList: jsonb('json_button_or_list').$type<ButtonsMessage>(),
    webhookUrlConcluded: text('webhook_url_concluded').notNull().default(''),
    /** Sealed; null until it is first asked for. */
    webhookSecret: text('webhook_secret'),
    messageFooterType: text('message_footer_type').notNull().$type<CampaignSetup['messageFooterType']>(),
    dailyFrom: text('daily_from'),
    dailyUntil: text('daily_until'),
    weekdays: jsonb('weekdays').notNull().default([]).$type<number[]>(),
    warmUp: boolean('warm_up').notNull(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // a bearer names no company
    uniqueIndex('campaign_setups_token').on(table.id),
    uniqueIndex('campaign_setups_handle').on(table.companyId, table.handle),
    index('campaign_setups_name').on(table.companyId, sql`folded(${table.name})`, table.id),
    foreignKey({ columns: [table.companyId, table.queueId], foreignColumns: [queues.companyId, queues.id] }),
    foreignKey({ columns: [table.companyId, table.userId], foreignColumns: [users.companyId, users.id] }),
  ],
)

/** Over which numbers a setup sends. */
export const campaignSetupConnections = pgTable(
  'campaign_setup_connections',
  {
    companyId: companyId(),
    setupId: uuid('setup_id').notNull(),
    whatsappId: integer('whatsapp_id').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.setupId, table.whatsappId] }),
    index('campaign_setup_connections_whatsapp').on(table.companyId, table.whatsappId),
    foreignKey({
      columns: [table.companyId, table.setupId],
      foreignColumns: [campaignSetups.companyId, campaignSetups.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

export const sealedOfCampaigns = sealedIn(
  campaignSetups,
  {
    what: 'the secret that signs the calls of a campaign setup',
    todo: 'the setup makes a new one: read it on its screen, and give it to the receiver',
    forget: (on, { companyId: id, keys }) =>
      on.execute(
        sql`update campaign_setups set webhook_secret = null where company_id = ${id} and id in ${keysAt(keys)}`,
      ),
  },
  campaignSetups.webhookSecret,
)
