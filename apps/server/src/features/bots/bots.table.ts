import type { BotLogic } from '@balcao/contract/bots.logic.ts'
import type { BotState } from '@balcao/contract/bots.talk.ts'
import type { BotSetup } from '@balcao/contract/bots.ts'
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
import { keysAt, sealedIn } from '../../platform/access/sealed.ts'
import { companyId, deliveredColumns, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'

/** What a setup or a command points to may be deleted at any time: the id stays, and the editor shows that it is gone. */
export const botSetups = pgTable(
  'bot_setups',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    typingTime: text('typing_time').notNull().$type<BotSetup['typingTime']>(),
    burstSeconds: integer('burst_seconds').notNull().default(3),
    phoneStopsBot: boolean('phone_stops_bot').notNull().default(true),
    reopenBotAfterHours: integer('reopen_bot_after_hours').notNull(),
    countErrorsBot: integer('count_errors_bot').notNull(),
    typeMenu: text('type_menu').notNull().$type<BotSetup['typeMenu']>(),
    messageOnErrorsBot: text('message_on_errors_bot').notNull(),
    actionWithoutQueue: text('action_without_queue').notNull().$type<BotSetup['actionWithoutQueue']>(),
    timeWithoutQueue: integer('time_without_queue').notNull(),
    messageOnWithoutQueue: text('message_on_without_queue').notNull(),
    transferQueueId: integer('transfer_queue_id'),
    userId: integer('user_id'),
    botType: text('bot_type').notNull().$type<BotSetup['botType']>(),
    botConfigId: integer('bot_config_id'),
    /** Sealed; what its webhooks are signed with. */
    webhookSecret: text('webhook_secret'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('bot_setups_by_name').on(table.companyId, sql`folded(${table.name})`),
    foreignKey({ columns: [table.companyId, table.userId], foreignColumns: [users.companyId, users.id] }),
  ],
)

/** Where bots speak: a connection has one at most. */
export const botConnections = pgTable(
  'bot_connections',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    botSetupId: integer('bot_setup_id').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId] }),
    index('bot_connections_setup').on(table.companyId, table.botSetupId),
    foreignKey({
      columns: [table.companyId, table.botSetupId],
      foreignColumns: [botSetups.companyId, botSetups.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

export const botCommands = pgTable(
  'bot_commands',
  {
    id: serialId(),
    companyId: companyId(),
    botSetupId: integer('bot_setup_id').notNull(),
    commandBot: text('command_bot').notNull(),
    commandType: integer('command_type').notNull(),
    descriptionBot: text('description_bot').notNull().default(''),
    showMessage: text('show_message').notNull().default(''),
    mediaUrl: text('media_url'),
    media: jsonb('media').$type<Media & { kind: string }>(),
    webhook: text('webhook'),
    userId: integer('user_id'),
    queueId: integer('queue_id'),
    tagIds: integer('tag_ids').array().notNull().default([]),
    categoryIds: integer('category_ids').array().notNull().default([]),
    typeMessage: text('type_message').notNull().default('singleMessage').$type<'singleMessage' | 'flow'>(),
    flowId: integer('flow_id'),
    botConfigId: integer('bot_config_id'),
    forceNextFlow: text('force_next_flow').notNull().default(''),
    logic: jsonb('logic').$type<BotLogic>(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('bot_commands_number').on(table.companyId, table.botSetupId, table.commandBot),
    index('bot_commands_media').on(table.companyId, table.mediaUrl).where(sql`${table.mediaUrl} is not null`),
    foreignKey({
      columns: [table.companyId, table.botSetupId],
      foreignColumns: [botSetups.companyId, botSetups.id],
    }).onDelete('cascade'),
  ],
)

/** Where each ticket's conversation with a bot stands. */
export const botSessions = pgTable(
  'bot_sessions',
  {
    companyId: companyId(),
    ticketId: integer('ticket_id').notNull(),
    botSetupId: integer('bot_setup_id').notNull(),
    state: jsonb('state').notNull().$type<BotState>(),
    /** When something happens if the customer chooses nothing; null when nothing does. */
    dueAt: instantColumn('due_at'),
    /**
     * Instead of `dueAt`, the end of a burst. A worker of version 0.1 knows no bursts: it would take the end of one in `due_at` for a
     * customer who chose nothing in time, and send the bot's time-out.
     */
    burstAt: instantColumn('burst_at'),
    /** The newest message that was answered. */
    messageId: uuid('message_id'),
    updatedAt: instantColumn('updated_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.ticketId] }),
    index('bot_sessions_due').on(table.companyId, table.dueAt).where(sql`${table.dueAt} is not null`),
    index('bot_sessions_due_at').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('bot_sessions_burst').on(table.companyId, table.burstAt).where(sql`${table.burstAt} is not null`),
    index('bot_sessions_burst_at').on(table.burstAt).where(sql`${table.burstAt} is not null`),
    index('bot_sessions_setup').on(table.companyId, table.botSetupId),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.botSetupId],
      foreignColumns: [botSetups.companyId, botSetups.id],
    }).onDelete('cascade'),
  ],
)

/** Calls of commands to other systems and their outcome: the outbox of their webhooks, and its log. */
export const botCalls = pgTable(
  'bot_calls',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    botSetupId: integer('bot_setup_id').notNull(),
    commandId: integer('command_id').notNull(),
    number: text('number').notNull(),
    ticketId: integer('ticket_id'),
    url: text('url').notNull(),
    /** The very text that is signed and sent. */
    body: text('body').notNull(),
    /** So long a conversation waits for the answer; null: none does. */
    awaitedSeconds: integer('awaited_seconds'),
    ...deliveredColumns(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('bot_calls_waiting')
      .on(table.companyId, table.botSetupId, table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index('bot_calls_setup').on(table.companyId, table.botSetupId, table.createdAt),
    index('bot_calls_age').using('brin', table.createdAt),
    foreignKey({
      columns: [table.companyId, table.botSetupId],
      foreignColumns: [botSetups.companyId, botSetups.id],
    }).onDelete('cascade'),
  ],
)

export const sealedOfBots = sealedIn(
  botSetups,
  {
    what: 'the secret that signs the calls of a bot',
    todo: 'the bot makes a new one: read it on its screen, and give it to the receiver',
    forget: (on, { companyId: id, keys }) =>
      on.execute(
        sql`update bot_setups set webhook_secret = null where company_id = ${id} and id in ${keysAt(keys)}`,
      ),
  },
  botSetups.webhookSecret,
)
