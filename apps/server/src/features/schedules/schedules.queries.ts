import type { PageQuery } from '@balcao/contract/kit.ts'
import type { Occurrence, Schedule, ScheduleStatus, SeveralFields } from '@balcao/contract/schedules.ts'
import { refuse } from '../../platform/errors.ts'
import { containingNumber, onePage } from '../../platform/lists/lists.ts'
import { and, asc, desc, eq, isNull, lt, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { startOf, zoneOf } from '../companies/companies.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { ownCustomers } from '../contacts/contacts.owners.queries.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { isOptedOut } from '../optOuts/optOuts.queries.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'
import { schedules } from './schedules.table.ts'

export type ScheduleRow = typeof schedules.$inferSelect

/** A moment as ISO 8601 text. */
export const isoOf = (at: SQL) =>
  tag<string>`to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

interface Asked extends PageQuery {
  status?: ScheduleStatus | '' | undefined
  contactId?: number | null | undefined
}

/** One page: pending ones by time, others newest first. */
export async function listSchedules(tx: Tx, { status, contactId, ...asked }: Asked) {
  const narrowed = and(
    eq(schedules.companyId, tx.companyId),
    ownCustomers(tx),
    status ? eq(schedules.status, status) : undefined,
    contactId ? eq(schedules.contactId, contactId) : undefined,
    containingNumber(asked.searchParam, contacts.number, contacts.name, schedules.body),
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
  const [row] = await selectSchedules(tx).where(and(own(tx, scheduleId), ownCustomers(tx)))
  return row ? toSchedule(row) : refuse('ERR_NOT_FOUND', { field: 'scheduleId' })
}

/** The stored row, locked. Refuses with ERR_NOT_FOUND. */
export async function lockSchedule(tx: Tx, scheduleId: number): Promise<ScheduleRow> {
  const [row] = await tx.sql.select().from(schedules).where(own(tx, scheduleId)).for('update')
  return row ?? refuse('ERR_NOT_FOUND', { field: 'scheduleId' })
}

/** The file of a schedule, kept until the transaction ends. Refuses with ERR_NOT_FOUND. */
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

/** The user who made it; null when that user was deleted. */
export async function ownerOf(tx: Tx, userId: number | null) {
  if (userId === null) return null
  const [user] = await tx.sql
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId)))
  return user ?? null
}

export const own = (tx: Tx, scheduleId: number) =>
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

/** A waiting message that does not exist any more was withdrawn by a user. */
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

/**
 * Local times of the company in UTC, in the same order. As PostgreSQL reads them: a skipped time moves by what the clock skips
 * (02:30 is 03:30); of a repeated one the second counts, in standard time.
 */
export async function momentsOf(tx: Tx, shown: string[]): Promise<string[]> {
  if (shown.length === 0) return []
  const clocks = tag`unnest(${`{${shown}}`}::text[]) with ordinality as c(shown, place)`
  const moment = isoOf(tag`c.shown::timestamp at time zone ${zoneOf(tx)}`)
  const [row] = await tx.sql
    .select({ moments: tag<string[]>`(select json_agg(${moment} order by c.place) from ${clocks})` })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!.moments
}

/** A local time of a form in UTC, with the local time it gives and its distance from now. */
export async function plannedTime(tx: Tx, moment: string, aheadYears: number) {
  const at = startOf(tx, moment)
  const [row] = await tx.sql
    .select({
      at: isoOf(at),
      shown: tag<string>`to_char(${at} at time zone ${zoneOf(tx)}, 'YYYY-MM-DD"T"HH24:MI')`,
      agoMs: tag<number>`(extract(epoch from now() - ${at}) * 1000)::float8`,
      tooFar: tag<boolean>`${at} > now() + ${aheadYears}::int * interval '1 year'`,
    })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!
}

export async function insertSchedule(
  tx: Tx,
  values: Omit<typeof schedules.$inferInsert, 'companyId' | 'id'>,
): Promise<number> {
  const [row] = await tx.sql
    .insert(schedules)
    .values({ ...values, companyId: tx.companyId })
    .returning({ id: schedules.id })
  return row!.id
}

export const updateSchedule = (tx: Tx, scheduleId: number, fields: Partial<ScheduleRow>) =>
  tx.sql.update(schedules).set(fields).where(own(tx, scheduleId))

export const deleteSchedule = (tx: Tx, scheduleId: number) =>
  tx.sql.delete(schedules).where(own(tx, scheduleId)).returning(deletedColumns)

/** How many were planned at once under this id, under an advisory lock until the end of the transaction. */
export async function plannedBefore(tx: Tx, batch: string): Promise<number> {
  await tx.sql.execute(tag`select pg_advisory_xact_lock(hashtextextended(${batch}, 0))`)
  const [row] = await tx.sql
    .select({ planned: tag<number>`count(*)::int` })
    .from(schedules)
    .where(and(eq(schedules.companyId, tx.companyId), eq(schedules.batch, batch)))
  return row!.planned
}

/** Deletes those of a user that were planned at once. Returns them. */
export const deleteBatch = (tx: Tx, batch: string, userId: number | null) =>
  tx.sql
    .delete(schedules)
    .where(
      and(
        eq(schedules.companyId, tx.companyId),
        eq(schedules.batch, batch),
        userId === null ? isNull(schedules.userId) : eq(schedules.userId, userId),
      ),
    )
    .returning(deletedColumns)

const deletedColumns = { id: schedules.id, mediaUrl: schedules.mediaUrl }

/** Contacts that are named, of categories, and with tickets of tags, each once; without groups, and the latter without those who opted out. */
export async function contactsFor(
  tx: Tx,
  { contactIds = [], categoryIds = [], tagIds = [] }: SeveralFields,
  limit: number,
): Promise<number[]> {
  const ids = (some: number[]) => tag`any(${`{${some}}`}::int[])`
  const rows = await tx.sql
    .select({ id: contacts.id })
    .from(contacts)
    .where(
      and(
        eq(contacts.companyId, tx.companyId),
        tag`(${contacts.id} = ${ids(contactIds)} or not ${contacts.isGroup} and (
          ${contacts.id} in (select k.contact_id from contact_categories k
            where k.company_id = ${tx.companyId} and k.category_id = ${ids(categoryIds)})
          or ${contacts.id} in (select t.contact_id from tickets t
            join ticket_tags g on g.company_id = t.company_id and g.ticket_id = t.id
            where t.company_id = ${tx.companyId} and g.tag_id = ${ids(tagIds)}))
        and not exists (select from contact_identifiers i where i.company_id = ${tx.companyId}
          and i.contact_id = ${contacts.id} and i.kind in ('phone', 'cloud') and ${isOptedOut(tx, tag`i.value`)}))`,
      ),
    )
    .orderBy(asc(contacts.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** How many of those that were planned at once, and are due at the same moment, come before it. */
export async function placeInBatch(tx: Tx, { id, batch }: ScheduleRow, at: string): Promise<number> {
  if (batch === null) return 0
  const [row] = await tx.sql
    .select({ before: tag<number>`count(*)::int` })
    .from(schedules)
    .where(
      and(
        eq(schedules.companyId, tx.companyId),
        eq(schedules.batch, batch),
        lt(schedules.id, id),
        // a series that was sent before it has moved on
        tag`(${schedules.sendAt} = ${at} or exists (select from schedule_occurrences o
          where o.company_id = ${tx.companyId} and o.schedule_id = ${schedules.id} and o.at = ${at}))`,
      ),
    )
  return row!.before
}

/** Deletes schedules of a status, of one user or of all. Returns them. */
export const deleteSchedules = (tx: Tx, status: ScheduleStatus | null, userId: number | null) =>
  tx.sql
    .delete(schedules)
    .where(
      and(
        eq(schedules.companyId, tx.companyId),
        status ? eq(schedules.status, status) : undefined,
        userId === null ? undefined : eq(schedules.userId, userId),
      ),
    )
    .returning({ id: schedules.id, mediaUrl: schedules.mediaUrl })
