import type {
  CampaignDispatch,
  CampaignMessage,
  CampaignPauseReason,
  CampaignStatus,
  CampaignTemplate,
  FollowUp,
  WaitReason,
} from '@balcao/contract/campaignShapes.ts'
import type { Media } from '@balcao/contract/media.ts'
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
import { companyId, deliveredColumns, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { campaignSetups } from '../campaignSetups/campaignSetups.table.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { users } from '../users/users.table.ts'

const count = (name: string) => integer(name).notNull().default(0)

export const campaigns = pgTable(
  'campaigns',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    setupId: uuid('setup_id'),
    userId: integer('user_id'),
    status: text('status').notNull().default('created').$type<CampaignStatus>(),
    schedule: instantColumn('schedule'),
    initialized: instantColumn('initialized'),
    finalized: instantColumn('finalized'),
    pauseReason: text('pause_reason').$type<CampaignPauseReason>(),
    pauseDetail: text('pause_detail').notNull().default(''),
    waitReason: text('wait_reason').$type<WaitReason>(),
    waitsUntil: instantColumn('waits_until'),
    /** When one of its people had its turn last: campaigns that share a number take turns. */
    servedAt: instantColumn('served_at'),
    myId: jsonb('my_id').$type<string | number>(),
    myDetails: jsonb('my_details').$type<unknown>(),
    /** What stands for a placeholder without a value, by its name. */
    standIns: jsonb('stand_ins').notNull().default({}).$type<Record<string, string>>(),
    /** The finished campaign whose people it has, and which of them. No foreign key: it outlives that one. */
    followsId: integer('follows_id'),
    followsWhom: text('follows_whom').$type<FollowUp>(),
    // counted in the transaction that changes a row of its people
    total: count('total'),
    sending: count('sending'),
    sent: count('sent'),
    failed: count('failed'),
    delivered: count('delivered'),
    read: count('read'),
    answered: count('answered'),
    optedOut: count('opted_out'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('campaigns_setup').on(table.companyId, table.setupId),
    index('campaigns_running').on(table.companyId, table.servedAt).where(sql`${table.status} = 'start'`),
    index('campaigns_follows')
      .on(table.companyId, table.followsId)
      .where(sql`${table.followsId} is not null`),
    index('campaigns_planned').on(table.schedule).where(sql`${table.status} = 'scheduled'`),
    foreignKey({
      columns: [table.companyId, table.setupId],
      foreignColumns: [campaignSetups.companyId, campaignSetups.id],
    }),
    foreignKey({ columns: [table.companyId, table.userId], foreignColumns: [users.companyId, users.id] }),
  ],
)

export const campaignMessages = pgTable(
  'campaign_messages',
  {
    id: serialId(),
    companyId: companyId(),
    campaignId: integer('campaign_id').notNull(),
    place: integer('place').notNull(),
    greeting: text('greeting').notNull(),
    body: text('body').notNull(),
    typeMessage: text('type_message').notNull().$type<CampaignMessage['typeMessage']>(),
    mediaUrl: text('media_url'),
    mediaType: text('media_type'),
    media: jsonb('media').$type<Media & { sha256?: string }>(),
    template: jsonb('template').$type<CampaignTemplate>(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('campaign_messages_place').on(table.companyId, table.campaignId, table.place),
    index('campaign_messages_files')
      .on(table.companyId, table.mediaUrl)
      .where(sql`${table.mediaUrl} is not null`),
    foreignKey({
      columns: [table.companyId, table.campaignId],
      foreignColumns: [campaigns.companyId, campaigns.id],
    }).onDelete('cascade'),
  ],
)

/** The people of campaigns; what waits to leave is a row in `pending`, and nothing else. */
export const campaignDispatches = pgTable(
  'campaign_dispatches',
  {
    id: serialId(),
    companyId: companyId(),
    campaignId: integer('campaign_id').notNull(),
    position: integer('position').notNull(),
    name: text('name').notNull(),
    number: text('number').notNull(),
    /** What a number is matched by: a campaign has it once. */
    key: text('key').notNull(),
    values: jsonb('row_values').notNull().default({}).$type<Record<string, string>>(),
    status: text('status').notNull().default('pending').$type<CampaignDispatch['status']>(),
    reason: text('reason').notNull().default(''),
    whatsappId: integer('whatsapp_id'),
    contactId: integer('contact_id'),
    ticketId: integer('ticket_id'),
    /** When its turn came. */
    schedule: instantColumn('schedule'),
    greeting: text('greeting').notNull().default(''),
    message: text('message').notNull().default(''),
    mediaUrl: text('media_url'),
    greetingSendAt: instantColumn('greeting_send_at'),
    messageSendAt: instantColumn('message_send_at'),
    ack: integer('ack').notNull().default(1),
    answeredAt: instantColumn('answered_at'),
    answerTicketId: integer('answer_ticket_id'),
    /** The text of the button that was chosen first. */
    answerButton: text('answer_button'),
    optedOut: boolean('opted_out').notNull().default(false),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('campaign_dispatches_key').on(table.companyId, table.campaignId, table.key),
    index('campaign_dispatches_order').on(table.companyId, table.campaignId, table.position, table.id),
    index('campaign_dispatches_pending')
      .on(table.companyId, table.campaignId, table.position)
      .where(sql`${table.status} = 'pending'`),
    index('campaign_dispatches_sending')
      .on(table.companyId, table.whatsappId)
      .where(sql`${table.status} = 'sending'`),
    index('campaign_dispatches_contact')
      .on(table.companyId, table.contactId, table.id)
      .where(sql`${table.contactId} is not null`),
    index('campaign_dispatches_answer')
      .on(table.companyId, table.answerTicketId)
      .where(sql`${table.answerTicketId} is not null`),
    foreignKey({
      columns: [table.companyId, table.campaignId],
      foreignColumns: [campaigns.companyId, campaigns.id],
    }).onDelete('cascade'),
  ],
)

/** The messages of a person of a campaign: its key is the cause of one message, and there is no second. */
export const campaignPosts = pgTable(
  'campaign_posts',
  {
    companyId: companyId(),
    dispatchId: integer('dispatch_id').notNull(),
    place: integer('place').notNull(),
    part: text('part').notNull().$type<'greeting' | 'message' | 'buttons'>(),
    /** The last one of its person: with it the person is done. */
    isLast: boolean('is_last').notNull(),
    /** No foreign key: what became of it outlives the conversation. */
    messageId: uuid('message_id').notNull(),
    ack: integer('ack').notNull().default(1),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.dispatchId, table.place] }),
    uniqueIndex('campaign_posts_message').on(table.companyId, table.messageId),
    foreignKey({
      columns: [table.companyId, table.dispatchId],
      foreignColumns: [campaignDispatches.companyId, campaignDispatches.id],
    }).onDelete('cascade'),
  ],
)

/**
 * When something last left, or was tried, for a person: what the caps of an hour and a day count. No foreign keys: who is
 * taken out of a campaign was written to.
 */
export const campaignDepartures = pgTable(
  'campaign_departures',
  {
    companyId: companyId(),
    dispatchId: integer('dispatch_id').notNull(),
    whatsappId: integer('whatsapp_id').notNull(),
    at: instantColumn('at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.dispatchId] }),
    index('campaign_departures_at').on(table.companyId, table.at),
  ],
)

/** When a number may write to the next person of any campaign; it outlives every process. */
export const campaignClocks = pgTable(
  'campaign_clocks',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** Its pause ends then. */
    freeAt: instantColumn('free_at').notNull().default(sql`now()`),
    /** A worker looks at it then; null while there is nothing to send. */
    lookAt: instantColumn('look_at'),
    /** Refusals of WhatsApp one after the other. */
    refusals: integer('refusals').notNull().default(0),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId] }),
    index('campaign_clocks_due').on(table.lookAt).where(sql`${table.lookAt} is not null`),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

/** The call of a setup's webhook when a campaign is over. */
export const campaignCalls = pgTable(
  'campaign_calls',
  {
    id: uuid('id').notNull(),
    companyId: companyId(),
    campaignId: integer('campaign_id').notNull(),
    setupId: uuid('setup_id').notNull(),
    url: text('url').notNull(),
    ...deliveredColumns(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('campaign_calls_waiting')
      .on(table.companyId, table.setupId, table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index('campaign_calls_campaign').on(table.companyId, table.campaignId, table.createdAt),
    foreignKey({
      columns: [table.companyId, table.campaignId],
      foreignColumns: [campaigns.companyId, campaigns.id],
    }).onDelete('cascade'),
  ],
)
