import {
  bigint,
  boolean,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Letter } from '../../platform/outbound/letter.ts'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'

/**
 * One row for each time a ticket was closed, written by a trigger on the line of history that says so, in its commit.
 * Reports add up these and never read the history or messages: what a past month says stays, also when a ticket is opened
 * again, or when the company keeps other hours.
 */
export const ticketServices = pgTable(
  'ticket_services',
  {
    companyId: companyId(),
    /** The line of the history that closed it. */
    historyId: bigint('history_id', { mode: 'number' }).notNull(),
    closedAt: instantColumn('closed_at').notNull(),
    ticketId: integer('ticket_id').notNull(),
    /** In whose hands, in which queue and on which connection it was closed; 0 where there was none. */
    userId: integer('user_id').notNull(),
    queueId: integer('queue_id').notNull(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** From the creation, or from being opened again, to the first acceptance; null when it never waited or was not accepted. */
    waitSeconds: integer('wait_seconds'),
    /** From the first acceptance to the closing; null when it was not accepted. */
    serveSeconds: integer('serve_seconds'),
    /** When it was created, or opened again. */
    beganAt: instantColumn('began_at').notNull().default(sql`now()`),
    /** From there to the first message of a person; null when no user wrote, or when it did not begin by waiting. */
    answerSeconds: integer('answer_seconds'),
    /** What a bot had of it; null when none spoke. */
    botSeconds: integer('bot_seconds'),
    /** The same three within the hours that the company was open; null with them, and where it did not say its hours. */
    waitOpenSeconds: integer('wait_open_seconds'),
    serveOpenSeconds: integer('serve_open_seconds'),
    answerOpenSeconds: integer('answer_open_seconds'),
    /** Whether it began while the company was closed; null where it did not say its hours. */
    beganOutside: boolean('began_outside'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.historyId] }),
    index('ticket_services_closed').on(table.companyId, table.closedAt),
    index('ticket_services_ticket').on(table.companyId, table.ticketId),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
  ],
)

/** What a closed ticket went through, one part behind the other: with whom, in which queue, how long. */
export const ticketSegments = pgTable(
  'ticket_segments',
  {
    companyId: companyId(),
    historyId: bigint('history_id', { mode: 'number' }).notNull(),
    place: integer('place').notNull(),
    kind: text('kind').notNull().$type<'bot' | 'wait' | 'serve'>(),
    userId: integer('user_id').notNull(),
    queueId: integer('queue_id').notNull(),
    seconds: integer('seconds').notNull(),
    /** Of those, within the hours that the company was open; null without hours, and in closings before this column. */
    openSeconds: integer('open_seconds'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.historyId, table.place] }),
    foreignKey({
      columns: [table.companyId, table.historyId],
      foreignColumns: [ticketServices.companyId, ticketServices.historyId],
    }).onDelete('cascade'),
  ],
)

/** From when to when a bot led a ticket; written by a trigger on its session, in the commit of its turn. */
export const botSpells = pgTable(
  'bot_spells',
  {
    companyId: companyId(),
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    ticketId: integer('ticket_id').notNull(),
    beganAt: instantColumn('began_at').notNull().default(sql`now()`),
    /** Null while it does. */
    endedAt: instantColumn('ended_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('bot_spells_ticket').on(table.companyId, table.ticketId),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
  ],
)

/** What a company wants to reach; null where it set none. */
export const reportTargets = pgTable(
  'report_targets',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    waitMinutes: integer('wait_minutes'),
    serveMinutes: integer('serve_minutes'),
    closedPerDay: integer('closed_per_day'),
  },
  table => [primaryKey({ columns: [table.companyId] })],
)

/** Who receives the figures of each week by e-mail, and of which queues and users; none of them for all. */
export const reportMails = pgTable(
  'report_mails',
  {
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    language: text('language').notNull().$type<Letter['language']>(),
    queueIds: integer('queue_ids').array().notNull(),
    userIds: integer('user_ids').array().notNull(),
    dueAt: instantColumn('due_at').notNull(),
    /** Named by the link that ends it; null until the first letter. */
    endKey: uuid('end_key'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.userId] }),
    index('report_mails_due').on(table.dueAt),
    index('report_mails_end').on(table.endKey),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)

/** Days of busy companies that are added up (`report_days`), as days begin in `zone` and as `revision` adds up; else they are to be added up again. */
export const reportDaysKept = pgTable(
  'report_days_kept',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    zone: text('zone'),
    revision: integer('revision').notNull().default(0),
  },
  table => [primaryKey({ columns: [table.companyId, table.day] })],
)

const many = (name: string) => bigint(name, { mode: 'number' }).notNull()

/**
 * Of everybody; by the tags that the tickets have now; by who had a part in the serving and in ending waits; by the hour of
 * the week in which the services began.
 */
export type ReportSide = 'all' | 'tag' | 'part' | 'hour'
/** The same by one of its columns, or by none: few rows, for reports without a filter. */
export type ReportSummary = 'days' | 'users' | 'queues' | 'connections' | 'tags' | 'parts'

/** What the services of one day come to: of everybody, by the tags of the tickets, by who had a part in them, and by hour. */
export const reportDays = pgTable(
  'report_days',
  {
    companyId: companyId(),
    day: date('day', { mode: 'string' }).notNull(),
    side: text('side').notNull().$type<ReportSide | ReportSummary>(),
    /** The tag, or the hour of the week from 0 (Monday at midnight); 0 on other sides. */
    tagId: integer('tag_id').notNull(),
    userId: integer('user_id').notNull(),
    queueId: integer('queue_id').notNull(),
    whatsappId: integer('whatsapp_id').notNull(),
    closed: many('closed'),
    served: many('served'),
    serveSeconds: many('serve_seconds'),
    waited: many('waited'),
    waitSeconds: many('wait_seconds'),
    answered: many('answered'),
    answerSeconds: many('answer_seconds'),
    botted: many('botted'),
    botSeconds: many('bot_seconds'),
    servedOpen: many('served_open'),
    serveOpenSeconds: many('serve_open_seconds'),
    waitedOpen: many('waited_open'),
    waitOpenSeconds: many('wait_open_seconds'),
    answeredOpen: many('answered_open'),
    answerOpenSeconds: many('answer_open_seconds'),
    timed: many('timed'),
    outside: many('outside'),
  },
  table => [
    primaryKey({
      columns: [
        table.companyId,
        table.day,
        table.side,
        table.tagId,
        table.userId,
        table.queueId,
        table.whatsappId,
      ],
    }),
    foreignKey({
      columns: [table.companyId, table.day],
      foreignColumns: [reportDaysKept.companyId, reportDaysKept.day],
    }).onDelete('cascade'),
  ],
)
