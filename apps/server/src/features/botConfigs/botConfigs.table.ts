import type { ModelAnswer, TrialMessage } from '@balcao/contract/botConfigs.ts'
import type { ModelFailure } from '@balcao/contract/integrations.ts'
import {
  bigint,
  boolean,
  doublePrecision,
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
import { bigSerial, companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { tickets } from '../tickets/tickets.table.ts'

export const botConfigs = pgTable(
  'bot_configs',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    context: text('context').notNull(),
    model: text('model').notNull(),
    /** Deleted: no list shows it; the messages made with it keep its name. */
    isDeleted: boolean('is_deleted').notNull().default(false),
    firstDelay: integer('first_delay').notNull(),
    lastDelay: integer('last_delay').notNull(),
    typingSpeed: integer('typing_speed').notNull(),
    ignoreWords: text('ignore_words').notNull(),
    stop: text('stop').notNull(),
    inactivityMessage: text('inactivity_message').notNull(),
    initialMessages: jsonb('initial_messages').$type<string[]>().notNull(),
    temperature: doublePrecision('temperature').notNull(),
    frequencyPenalty: doublePrecision('frequency_penalty').notNull(),
    presencePenalty: doublePrecision('presence_penalty').notNull(),
    topP: doublePrecision('top_p').notNull(),
    maxTokens: integer('max_tokens').notNull(),
    maxMessagesForDialog: integer('max_messages_for_dialog').notNull(),
    messageForMaxMessagesExceeded: text('message_for_max_messages_exceeded').notNull(),
    lastQueueId: integer('last_queue_id'),
    /** Whether the notes of a ticket are sent to the model. */
    readsNotes: boolean('reads_notes').notNull().default(false),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('bot_configs_by_name').on(table.companyId, sql`folded(${table.name})`),
  ],
)

/** A model talks to the customer of a ticket; without a ticket, to those who try the prompt. */
export const gptDialogs = pgTable(
  'gpt_dialogs',
  {
    id: serialId(),
    companyId: companyId(),
    ticketId: integer('ticket_id'),
    botConfigId: integer('bot_config_id').notNull(),
    /** Messages before this position of the conversation are not part of the dialog. */
    fromPosition: bigint('from_position', { mode: 'number' }).notNull(),
    /** Not to be worked off before; null while it waits for the customer. */
    dueAt: instantColumn('due_at'),
    dueFor: text('due_for').$type<DialogDue>(),
    /** So long one worker has it. */
    leaseUntil: instantColumn('lease_until'),
    /** Rises whenever the customer writes or a worker begins: an answer counts only for the turn it was made in. */
    turn: integer('turn').notNull().default(0),
    tries: integer('tries').notNull().default(0),
    /** How often it answered. */
    answers: integer('answers').notNull().default(0),
    /** The answer that was given last: taken back while it has not left and the customer writes on. */
    lastMessageId: uuid('last_message_id'),
    openedAt: instantColumn('opened_at').notNull().default(sql`now()`),
    endedAt: instantColumn('ended_at'),
    ending: text('ending').$type<DialogEnding>(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('gpt_dialogs_living')
      .on(table.companyId, table.ticketId)
      .where(sql`${table.endedAt} is null`),
    index('gpt_dialogs_ticket').on(table.companyId, table.ticketId),
    uniqueIndex('gpt_dialogs_trial')
      .on(table.companyId, table.botConfigId)
      .where(sql`${table.ticketId} is null and ${table.endedAt} is null`),
    index('gpt_dialogs_age').using('brin', table.endedAt),
    index('gpt_dialogs_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.botConfigId],
      foreignColumns: [botConfigs.companyId, botConfigs.id],
    }).onDelete('cascade'),
  ],
)

/** The model answers; the customer is silent and is asked; is still silent, and people take over. */
export type DialogDue = 'answer' | 'silence' | 'parting'

/** How a dialog came to its end. */
export type DialogEnding =
  | 'handedOver'
  | 'resolved'
  | 'limit'
  | 'failed'
  | 'silence'
  | 'gone'
  /** Whoever opened it closed it, or a person took over. */
  | 'closed'

/** Each time a model was asked. */
export const gptAnswers = pgTable(
  'gpt_answers',
  {
    id: bigSerial('id').notNull(),
    companyId: companyId(),
    botConfigId: integer('bot_config_id').notNull(),
    /** No foreign key: what was spent is known longer than what it was spent on. */
    ticketId: integer('ticket_id'),
    model: text('model').notNull(),
    promptTokens: integer('prompt_tokens').notNull().default(0),
    completionTokens: integer('completion_tokens').notNull().default(0),
    ms: integer('ms').notNull(),
    outcome: text('outcome').notNull().$type<ModelAnswer['outcome']>(),
    failure: text('failure').$type<ModelFailure>(),
    detail: text('detail').notNull().default(''),
    at: instantColumn('at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('gpt_answers_by_time').on(table.companyId, table.at),
    index('gpt_answers_age').using('brin', table.at),
    index('gpt_answers_by_config').on(table.companyId, table.botConfigId, table.id),
    foreignKey({
      columns: [table.companyId, table.botConfigId],
      foreignColumns: [botConfigs.companyId, botConfigs.id],
    }).onDelete('cascade'),
  ],
)

/** The conversation of a trial of a prompt. */
export const gptTrials = pgTable(
  'gpt_trials',
  {
    id: uuid('id').notNull(),
    companyId: companyId(),
    botConfigId: integer('bot_config_id').notNull(),
    body: text('body').notNull(),
    fromMe: boolean('from_me').notNull(),
    effect: jsonb('effect').$type<TrialMessage['effect']>(),
    position: bigSerial('position').notNull(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('gpt_trials_in_order').on(table.companyId, table.botConfigId, table.position),
    foreignKey({
      columns: [table.companyId, table.botConfigId],
      foreignColumns: [botConfigs.companyId, botConfigs.id],
    }).onDelete('cascade'),
  ],
)
