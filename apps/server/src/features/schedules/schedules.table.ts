import type { Media } from '@balcao/contract/media.ts'
import type { MessageType, Occurrence, ScheduleStatus, ScheduleType } from '@balcao/contract/schedules.ts'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'

export const schedules = pgTable(
  'schedules',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    body: text('body').notNull(),
    contactId: integer('contact_id').notNull(),
    /** Merges of contacts that moved it here, the newest last: undone, one takes it along again. */
    mergeIds: integer('merge_ids').array().notNull().default(sql`'{}'`),
    queueId: integer('queue_id'),
    whatsappId: integer('whatsapp_id'),
    userId: integer('user_id'),
    typeMessage: text('type_message').notNull().$type<MessageType>(),
    typeSchedule: text('type_schedule').notNull().$type<ScheduleType>(),
    everyDays: integer('every_days'),
    /** The last day, `YYYY-MM-DD`, of a series that has one. */
    untilDay: text('until_day'),
    /** The same for those that were planned at once for several contacts. */
    batch: uuid('batch'),
    /** When the next one is due; of what is over, when the last one was. */
    sendAt: instantColumn('send_at').notNull(),
    /** What the company's clock shows at the first one, `YYYY-MM-DDTHH:mm`; the others follow from it. */
    firstAt: text('first_at').notNull(),
    /** The number of the one at `sendAt`, from 0. */
    number: integer('number').notNull().default(0),
    /** How many come after it; null for ever. */
    repeatCounter: integer('repeat_counter'),
    /** Looked for by every worker; null when nothing more leaves by itself. */
    nextAt: instantColumn('next_at'),
    sentAt: instantColumn('sent_at'),
    status: text('status').notNull().default('PENDENTE').$type<ScheduleStatus>(),
    mediaUrl: text('media_url'),
    mediaType: text('media_type'),
    media: jsonb('media').$type<Media & { sha256?: string }>(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('schedules_due_first')
      .on(table.nextAt, table.companyId, table.id)
      .where(sql`${table.nextAt} is not null`),
    index('schedules_due').on(table.companyId, table.nextAt).where(sql`${table.nextAt} is not null`),
    index('schedules_by_time').on(table.companyId, table.status, table.sendAt, table.id),
    index('schedules_by_contact').on(table.companyId, table.contactId, table.sendAt),
    index('schedules_batch').on(table.companyId, table.batch).where(sql`${table.batch} is not null`),
    index('schedules_files').on(table.companyId, table.mediaUrl).where(sql`${table.mediaUrl} is not null`),
    foreignKey({
      columns: [table.companyId, table.contactId],
      foreignColumns: [contacts.companyId, contacts.id],
    }).onDelete('cascade'),
    foreignKey({ columns: [table.companyId, table.queueId], foreignColumns: [queues.companyId, queues.id] }),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }),
    foreignKey({ columns: [table.companyId, table.userId], foreignColumns: [users.companyId, users.id] }),
  ],
)

/** Each time that a schedule was due: its key is the cause of one message, and there is no second. */
export const scheduleOccurrences = pgTable(
  'schedule_occurrences',
  {
    companyId: companyId(),
    scheduleId: integer('schedule_id').notNull(),
    at: instantColumn('at').notNull(),
    state: text('state').notNull().$type<Occurrence['state']>(),
    late: boolean('late').notNull().default(false),
    reason: text('reason').notNull().default(''),
    /** No foreign key: what became of it outlives the conversation. */
    messageId: uuid('message_id'),
    ticketId: integer('ticket_id'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.scheduleId, table.at] }),
    index('schedule_occurrences_message').on(table.companyId, table.messageId),
    foreignKey({
      columns: [table.companyId, table.scheduleId],
      foreignColumns: [schedules.companyId, schedules.id],
    }).onDelete('cascade'),
  ],
)
