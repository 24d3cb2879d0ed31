import type { PageQuery } from '@balcao/contract/kit.ts'
import type { Occurrence, Schedule, ScheduleStatus } from '@balcao/contract/schedules.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, desc, eq, inArray, isNotNull, type SQL, sql as tag } from '../../platform/sql.ts'
import { zoneOf } from '../companies/companies.queries.ts'
import { isAtWork } from '../companies/companies.standing.ts'
import { isUnderWay } from '../connections/connections.queries.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'
import { scheduleOccurrences, schedules } from './schedules.table.ts'
import { isoOf } from './schedules.times.ts'

export type ScheduleRow = typeof schedules.$inferSelect

interface Asked extends PageQuery {
  status?: ScheduleStatus | '' | undefined
  contactId?: number | null | undefined
}

/** One page: what is pending by its time, anything else newest first. */
export async function listSchedules(tx: Tx, { status, contactId, ...asked }: Asked) {
  const narrowed = and(
    eq(schedules.companyId, tx.companyId),
    status ? eq(schedules.status, status) : undefined,
    contactId ? eq(schedules.contactId, contactId) : undefined,
    containing(asked.searchParam, schedules.body, contacts.name),
  )
  const order = status === 'PENDENTE' ? [asc(schedules.sendAt), asc(schedules.id)] : newestFirst
  const { rows, hasMore } = await onePage(asked, (limit, offset) =>
    selectSchedules(tx)
      .where(narrowed)
      .orderBy(...order)
      .limit(limit)
      .offset(offset),
  )
  return { schedules: rows.map(toSchedule), hasMore }
}

const newestFirst = [desc(schedules.sendAt), desc(schedules.id)]

/** Refuses with ERR_NOT_FOUND. */
export async function findSchedule(tx: Tx, scheduleId: number): Promise<Schedule> {
  const [row] = await selectSchedules(tx).where(own(tx, scheduleId))
  return row ? toSchedule(row) : refuse('ERR_NOT_FOUND', { field: 'scheduleId' })
}

/** The row as it is stored, locked. Refuses with ERR_NOT_FOUND. */
export async function lockSchedule(tx: Tx, scheduleId: number): Promise<ScheduleRow> {
  const [row] = await tx.sql.select().from(schedules).where(own(tx, scheduleId)).for('update')
  return row ?? refuse('ERR_NOT_FOUND', { field: 'scheduleId' })
}

/** A file that some schedule has, which stays while this transaction names it anew. Refuses with ERR_NOT_FOUND. */
export async function fileOfSchedule(tx: Tx, address: string) {
  const { mediaUrl, mediaType, media } = schedules
  const [file] = await tx.sql
    .select({ mediaUrl, mediaType, media })
    .from(schedules)
    .where(and(eq(schedules.companyId, tx.companyId), eq(schedules.mediaUrl, address)))
    .limit(1)
    .for('share')
  return file ?? refuse('ERR_NOT_FOUND', { field: 'mediaUrl' })
}

/** Those of these addresses at which a file stands that a schedule sends. */
export async function filesInSchedules(tx: Tx, addresses: string[]): Promise<string[]> {
  const rows = await tx.sql
    .selectDistinct({ mediaUrl: schedules.mediaUrl })
    .from(schedules)
    .where(and(eq(schedules.companyId, tx.companyId), inArray(schedules.mediaUrl, addresses)))
  return rows.flatMap(row => row.mediaUrl ?? [])
}

/** The newest time that it was due, as it is stored. */
export async function lastOccurrence(tx: Tx, scheduleId: number) {
  const [row] = await tx.sql
    .select()
    .from(scheduleOccurrences)
    .where(
      and(eq(scheduleOccurrences.companyId, tx.companyId), eq(scheduleOccurrences.scheduleId, scheduleId)),
    )
    .orderBy(desc(scheduleOccurrences.at))
    .limit(1)
  return row ?? null
}

/** Who made it, by name; null when that user is gone. */
export async function ownerOf(tx: Tx, userId: number | null) {
  if (userId === null) return null
  const [user] = await tx.sql
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId)))
  return user ?? null
}

/** After that long nobody expects it any more (design, catch-up). */
const LATEST = tag`interval '24 hours'`

/**
 * What is due, of whatever company, the longest due first. A connection that is down is waited for until it is too late;
 * one that was removed is not.
 */
export const dueSchedules = (sql: Sql, limit: number) =>
  sql
    .select({ companyId: schedules.companyId, id: schedules.id })
    .from(schedules)
    .leftJoin(
      whatsapps,
      and(eq(whatsapps.companyId, schedules.companyId), eq(whatsapps.id, schedules.whatsappId)),
    )
    .where(and(isDue, tag`(${mayLeave} or ${isTooLate})`, isOn))
    .orderBy(asc(schedules.nextAt), asc(schedules.companyId), asc(schedules.id))
    .limit(limit)

/** Its company is at work and has schedules; what waited meanwhile leaves late, or is too late. */
const isOn = and(
  isAtWork(schedules.companyId),
  tag`exists (select from companies c where c.id = schedules.company_id and c.enable_schedules)`,
)
const isDue = and(isNotNull(schedules.nextAt), tag`${schedules.nextAt} <= now()`)
const isTooLate = tag<boolean>`${schedules.nextAt} < now() - ${LATEST}`
const mayLeave = tag`(${schedules.whatsappId} is null or ${isUnderWay})`

/** One that is due, for this transaction alone; null when another has it or had it. */
export async function claimDue(tx: Tx, scheduleId: number) {
  const [row] = await tx.sql
    .select({
      schedule: schedules,
      now: isoOf(tag`now()`),
      tooLateBefore: isoOf(tag`now() - ${LATEST}`),
    })
    .from(schedules)
    .where(and(own(tx, scheduleId), isDue))
    .for('update', { skipLocked: true })
  return row ?? null
}

const own = (tx: Tx, scheduleId: number) =>
  and(eq(schedules.companyId, tx.companyId), eq(schedules.id, scheduleId))

const selectSchedules = (tx: Tx) =>
  tx.sql
    .select({
      schedule: schedules,
      contact: { id: contacts.id, name: contacts.name, number: contacts.number },
      queue: { id: queues.id, name: queues.name, color: queues.color },
      whatsapp: { id: whatsapps.id, name: whatsapps.name },
      user: { id: users.id, name: users.name },
      hour: tag<string>`to_char(${schedules.sendAt} at time zone ${zoneOf(tx)}, 'HH24:MI')`,
      last,
    })
    .from(schedules)
    .innerJoin(
      contacts,
      and(eq(contacts.companyId, schedules.companyId), eq(contacts.id, schedules.contactId)),
    )
    .leftJoin(queues, and(eq(queues.companyId, schedules.companyId), eq(queues.id, schedules.queueId)))
    .leftJoin(
      whatsapps,
      and(eq(whatsapps.companyId, schedules.companyId), eq(whatsapps.id, schedules.whatsappId)),
    )
    .leftJoin(users, and(eq(users.companyId, schedules.companyId), eq(users.id, schedules.userId)))
    .$dynamic()

const field = (written: string): SQL => tag.raw(written)

/** What waited and is not there any more was taken back by hand before it left. */
const last = tag<Occurrence | null>`(
  select json_build_object('at', ${isoOf(field('o.at'))}, 'late', o.late, 'reason', o.reason,
    'state', case when o.state = 'waiting' and m.id is null then 'failed' else o.state end, 'ticketId', t.id)
  from schedule_occurrences o
    left join messages m on m.company_id = o.company_id and m.id = o.message_id
    left join tickets t on t.company_id = o.company_id and t.id = o.ticket_id
  where o.company_id = ${schedules.companyId} and o.schedule_id = ${schedules.id}
  order by o.at desc limit 1)`

type Selected = Awaited<ReturnType<typeof selectSchedules>>[number]

const toSchedule = ({ schedule, ...joined }: Selected): Schedule => ({
  ...schedule,
  ...joined,
  mediaUrlVt: schedule.mediaUrl,
  mediaName: schedule.media?.name ?? '',
  planned: schedule.nextAt !== null,
})
