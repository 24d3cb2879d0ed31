import {
  boolean,
  check,
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
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { tickets } from '../tickets/tickets.table.ts'

/** How a company asks after a closing; without a row it does not. */
export const surveySettings = pgTable(
  'survey_settings',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    enabled: boolean('enabled').notNull(),
    question: text('question').notNull(),
    words: jsonb('words').notNull().$type<string[]>(),
    thanks: text('thanks').notNull(),
    everyHours: integer('every_hours').notNull(),
    answerWithinHours: integer('answer_within_hours').notNull(),
    commentMinutes: integer('comment_minutes').notNull(),
    queueIds: integer('queue_ids').array().notNull(),
  },
  table => [primaryKey({ columns: [table.companyId] })],
)

/** The survey of a ticket, at most one: planned at its closing, asked, answered. */
export const surveys = pgTable(
  'surveys',
  {
    id: serialId(),
    companyId: companyId(),
    ticketId: integer('ticket_id').notNull(),
    contactId: integer('contact_id').notNull(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** Who closed the ticket, and its queue; they outlive both. */
    userId: integer('user_id'),
    queueId: integer('queue_id'),
    /** The closing it follows: a ticket that was opened since is not asked about. */
    closedAt: instantColumn('closed_at').notNull(),
    /** When it is asked; null once it was. */
    dueAt: instantColumn('due_at'),
    askedAt: instantColumn('asked_at'),
    messageId: uuid('message_id'),
    /** What its scores were called when it was asked. */
    words: jsonb('words').$type<string[]>(),
    answerUntil: instantColumn('answer_until'),
    score: integer('score'),
    answeredAt: instantColumn('answered_at'),
    commentUntil: instantColumn('comment_until'),
    comment: text('comment').notNull().default(''),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('surveys_ticket').on(table.companyId, table.ticketId),
    index('surveys_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('surveys_due_of_company').on(table.companyId, table.dueAt).where(sql`${table.dueAt} is not null`),
    index('surveys_contact').on(table.companyId, table.contactId, table.askedAt),
    index('surveys_asked').on(table.companyId, table.askedAt),
    index('surveys_answered')
      .on(table.companyId, table.answeredAt, table.id)
      .where(sql`${table.score} is not null`),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.contactId],
      foreignColumns: [contacts.companyId, contacts.id],
    }).onDelete('cascade'),
    check('surveys_score', sql`${table.score} between 1 and 5`),
  ],
)
