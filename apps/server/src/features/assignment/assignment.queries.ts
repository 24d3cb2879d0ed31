import {
  type Assignment,
  BY_HAND,
  type QueueWaiting,
  type WaitingReason,
} from '@balcao/contract/assignment.ts'
import { viewerFrom } from '@balcao/contract/permissions.rules.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, asc, eq, ne, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { findQueue } from '../queues/queues.queries.ts'
import { usersByIds } from '../users/users.queries.ts'
import type { Candidate, givable, Waiting } from './assignment.rules.ts'
import { queueAssignments as assignments, assignmentWakes as wakes } from './assignment.table.ts'

export type AssignmentRow = typeof assignments.$inferSelect

export const assignmentOr = async (tx: Tx, queueId: number): Promise<AssignmentRow | null> =>
  (await tx.sql.select().from(assignments).where(itself(tx, queueId)))[0] ?? null

/** Refuses with ERR_NO_QUEUE_FOUND. */
export async function findAssignment(tx: Tx, queueId: number): Promise<Assignment> {
  await findQueue(tx, queueId)
  const row = await assignmentOr(tx, queueId)
  if (!row) return { queueId, ...BY_HAND }
  const { mode, capacity, stickyDays, ownerFirst, onlyWithinHours, returnAfterMinutes, waitingReason } = row
  const rules = { mode, capacity, stickyDays, ownerFirst, onlyWithinHours, returnAfterMinutes }
  return { queueId, ...rules, waitingReason }
}

export const listAssignments = async (tx: Tx): Promise<QueueWaiting[]> =>
  tx.sql
    .select({
      queueId: assignments.queueId,
      mode: assignments.mode,
      waitingReason: assignments.waitingReason,
    })
    .from(assignments)
    .where(and(eq(assignments.companyId, tx.companyId), ne(assignments.mode, 'manual')))
    .orderBy(asc(assignments.queueId))

type Columns = Partial<Omit<typeof assignments.$inferInsert, 'companyId' | 'queueId'>>

export const writeAssignment = (tx: Tx, queueId: number, columns: Columns) =>
  tx.sql
    .insert(assignments)
    .values({ companyId: tx.companyId, queueId, ...columns })
    .onConflictDoUpdate({ target: [assignments.companyId, assignments.queueId], set: columns })

/** Of all companies the queues that give their tickets by themselves. */
export const assigningQueues = (sql: Sql) =>
  sql
    .select({ companyId: assignments.companyId, queueId: assignments.queueId })
    .from(assignments)
    .where(ne(assignments.mode, 'manual'))

const LOCK = tag`hashtext('assignment')`

/** One at a time for each company: an attendant may be in several queues. */
export const lockAssigning = (tx: Tx) =>
  tx.sql.execute(tag`select pg_advisory_xact_lock(${LOCK}, ${tx.companyId})`)

/** Wakes those of these queues that give their tickets by themselves. Answers whether there is one. */
export async function wakeQueues(tx: Tx, queueIds: number[]): Promise<boolean> {
  if (queueIds.length === 0) return false
  const rows = await rowsFrom<unknown>(
    tx.sql,
    tag`insert into ${wakes} (company_id, queue_id) select company_id, queue_id from ${assignments}
      where company_id = ${tx.companyId} and mode <> 'manual' and queue_id = any(${`{${queueIds}}`}::int[]) returning 1`,
  )
  return rows.length > 0
}

/** Wakes the queues of which these users are members: all, or those in which there is a number of open tickets. */
export async function wakeQueuesOf(tx: Tx, userIds: number[], which: 'all' | 'limited'): Promise<boolean> {
  if (userIds.length === 0) return false
  const rows = await rowsFrom<unknown>(
    tx.sql,
    tag`insert into ${wakes} (company_id, queue_id) select distinct a.company_id, a.queue_id from ${assignments} a
      join user_queues u on u.company_id = a.company_id and u.queue_id = a.queue_id
      where a.company_id = ${tx.companyId} and a.mode <> 'manual' and u.user_id = any(${`{${userIds}}`}::int[])
        ${which === 'limited' ? tag`and a.capacity is not null` : tag``} returning 1`,
  )
  return rows.length > 0
}

export const takeWakes = (tx: Tx, queueId: number) =>
  tx.sql.delete(wakes).where(and(eq(wakes.companyId, tx.companyId), eq(wakes.queueId, queueId)))

export interface DueQueue {
  [name: string]: number
  companyId: number
  queueId: number
}

const beyond = (passed: number[]) =>
  passed.length > 0 ? tag`and company_id <> all(${`{${passed}}`}::int[])` : tag``

/** Queues with wakes, and those that are looked at again. */
export const assigningDue = (most: number, passed: number[]) =>
  tag`(select company_id as "companyId", queue_id as "queueId" from ${wakes} where true ${beyond(passed)}
    union select company_id, queue_id from ${assignments} where look_at <= now() ${beyond(passed)} limit ${most})`

/** Queues of which absent attendants may have tickets. */
export const returnsDue = (most: number, passed: number[]) =>
  tag`(select company_id as "companyId", queue_id as "queueId" from ${assignments}
    where returns_at <= now() ${beyond(passed)} order by returns_at limit ${most})`

export const findAssigning = (sql: Sql, most: number, passed: number[]) =>
  rowsFrom<DueQueue>(sql, assigningDue(most, passed))

export const findReturns = (sql: Sql, most: number, passed: number[]) =>
  rowsFrom<DueQueue>(sql, returnsDue(most, passed))

/**
 * The ids of what waits in a queue, longest waiting first; what a bot leads does not. Only what can be given: what no one may
 * take would keep the others from being looked at.
 */
export async function waitingIn(
  tx: Tx,
  queueId: number,
  { most, which }: { most: number; which: ReturnType<typeof givable> },
): Promise<number[]> {
  if (which === 'none') return []
  const rows = await rowsFrom<{ id: number }>(
    tx.sql,
    tag`select t.id from tickets t where ${waits(tx, queueId)} ${which === 'all' ? tag`` : tag`and ${isOf(which.owners)}`}
      order by ${LONGEST} limit ${most}`,
  )
  return rows.map(({ id }) => id)
}

const isOf = (owners: number[]) => tag`exists (select from contacts c where c.company_id = t.company_id
  and c.id = t.contact_id and (c.owner_id is null or c.owner_id = any(${`{${owners}}`}::int[])))`

const waits = (tx: Tx, queueId: number) =>
  tag`t.company_id = ${tx.companyId} and t.status = 'pending' and t.queue_id = ${queueId}
    and t.user_id is null and not t.with_bot and t.snoozed_until is null`

const LONGEST = tag`coalesce(t.waiting_since, 'infinity'::timestamptz), t.updated_at, t.id`

/** The longest waiting ticket of a queue, with the owner of its contact; null where none waits. */
export async function longestWaiting(tx: Tx, queueId: number): Promise<Pick<Waiting, 'ownerId'> | null> {
  const [row] = await rowsFrom<Pick<Waiting, 'ownerId'>>(
    tx.sql,
    tag`select c.owner_id as "ownerId" from (
        select t.company_id, t.contact_id from tickets t where ${waits(tx, queueId)} order by ${LONGEST} limit 1) t
      join contacts c on c.company_id = t.company_id and c.id = t.contact_id`,
  )
  return row ?? null
}

/** With the owner of the contact, and who attended it last within so many days; in the order of `ids`. */
export const waitingWith = (tx: Tx, ids: number[], stickyDays: number | null) =>
  rowsFrom<Waiting>(
    tx.sql,
    tag`select t.id, c.owner_id as "ownerId", ${
      stickyDays === null
        ? tag`null::int`
        : tag`(select o.user_id from tickets o where o.company_id = t.company_id and o.contact_id = t.contact_id
          and o.id <> t.id and o.user_id is not null and o.updated_at > now() - make_interval(days => ${stickyDays}::int)
          order by o.updated_at desc limit 1)`
    } as "lastId"
    from unnest(${`{${ids}}`}::int[]) with ordinality as wanted(id, at)
    join tickets t on t.company_id = ${tx.companyId} and t.id = wanted.id
    join contacts c on c.company_id = t.company_id and c.id = t.contact_id order by wanted.at`,
  )

/** The members of a queue, with the number of their open tickets. Who pauses meanwhile waits until the transaction ends. */
export async function lockMembers(tx: Tx, queueId: number): Promise<Candidate[]> {
  await tx.sql.execute(tag`select from user_availability a join user_queues q on q.company_id = a.company_id and q.user_id = a.user_id
    where a.company_id = ${tx.companyId} and q.queue_id = ${queueId} order by a.user_id for share of a`)
  return rowsFrom<Candidate>(
    tx.sql,
    tag`select u.id, coalesce((select sum(n.tickets)::int from ticket_counts n where n.company_id = u.company_id
        and n.status = 'open' and n.user_id = u.id), 0) as open,
      u.profile <> 'admin' and u.master <> 1 and coalesce(g.only_own_contacts, false) as limited
    from user_queues q join users u on u.company_id = q.company_id and u.id = q.user_id
    left join user_authorizations g on g.company_id = u.company_id and g.id = u.user_authorization_id
    where q.company_id = ${tx.companyId} and q.queue_id = ${queueId} and u.resting_since is null order by u.id`,
  )
}

/** These users as they act. */
export const viewersOf = async (tx: Tx, userIds: number[]) =>
  new Map((await usersByIds(tx, userIds)).map(user => [user.id, viewerFrom(user)]))

/** Open tickets of a queue whose customer waits, of users who are absent for so long, whatever the reasons meanwhile. */
export const leftAlone = (tx: Tx, queueId: number, minutes: number, most: number) =>
  rowsFrom<{ id: number; userId: number }>(
    tx.sql,
    tag`select t.id, t.user_id as "userId" from tickets t
      left join user_availability a on a.company_id = t.company_id and a.user_id = t.user_id
      where t.company_id = ${tx.companyId} and t.status = 'open' and t.queue_id = ${queueId} and t.waiting_since is not null
        and t.snoozed_until is null and coalesce(a.state, 'away') <> 'available' and coalesce(a.absent_since, a.since, t.waiting_since) <= now() - make_interval(mins => ${minutes}::int)
      order by t.id limit ${most}`,
  )

/** Who pauses or comes back meanwhile waits until the transaction ends. */
export const holdAvailability = (tx: Tx, userIds: number[]) =>
  tx.sql.execute(tag`select from user_availability where company_id = ${tx.companyId} and user_id = any(${`{${userIds}}`}::int[])
    order by user_id for share`)

export const forgetTurnsOf = (tx: Tx, userId: number) =>
  tx.sql
    .update(assignments)
    .set({ lastUserId: null })
    .where(and(eq(assignments.companyId, tx.companyId), eq(assignments.lastUserId, userId)))

/** Notes the outcome of a look: why tickets wait, when it is looked again, whose turn was the last. A later look that is planned stays. */
export const settleQueue = (
  tx: Tx,
  queueId: number,
  { reason, lastUserId, again }: { reason: WaitingReason | null; lastUserId: number | null; again: boolean },
) =>
  tx.sql
    .update(assignments)
    .set({
      waitingReason: reason,
      lastUserId,
      lookAt: tag`case when ${assignments.lookAt} > now() then ${assignments.lookAt}
        when ${again} then now() + interval '20 seconds' end`,
    })
    .where(itself(tx, queueId))

export const laterReturns = (tx: Tx, queueId: number, seconds: number) =>
  tx.sql
    .update(assignments)
    .set({ returnsAt: tag`now() + make_interval(secs => ${seconds}::int)` })
    .where(and(itself(tx, queueId), tag`${assignments.returnAfterMinutes} is not null`))

const itself = (tx: Tx, queueId: number) =>
  and(eq(assignments.companyId, tx.companyId), eq(assignments.queueId, queueId))
