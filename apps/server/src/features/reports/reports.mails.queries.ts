import type { ReportMail } from '@balcao/contract/reports.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, asc, eq, inArray, lte, rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'
import { ownZone } from './reports.range.queries.ts'
import { reportMails as mails } from './reports.table.ts'

export type ReportMailRow = typeof mails.$inferSelect

/** What the user receives; null for nothing. */
export async function reportMailOf(tx: Tx, userId: number): Promise<ReportMail | null> {
  const [row] = await tx.sql
    .select({ selectedQueueIds: mails.queueIds, selectedUserIds: mails.userIds, dueAt: mails.dueAt })
    .from(mails)
    .where(own(tx, userId))
  return row ?? null
}

/** Where letters to a user go; null when deleted. */
export async function emailOf(tx: Tx, userId: number): Promise<string | null> {
  const [row] = await tx.sql
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId)))
  return row?.email ?? null
}

/** From next Monday on; who receives one already keeps its time. */
export async function writeReportMail(
  tx: Tx,
  values: Pick<ReportMailRow, 'userId' | 'language' | 'queueIds' | 'userIds'>,
) {
  const { userId: _userId, ...changed } = values
  await tx.sql
    .insert(mails)
    .values({ ...values, companyId: tx.companyId, dueAt: await nextMonday(tx) })
    .onConflictDoUpdate({ target: [mails.companyId, mails.userId], set: changed })
}

export const deleteReportMail = (tx: Tx, userId: number) => tx.sql.delete(mails).where(own(tx, userId))

/** Whose mail a link ends, of all companies; null for none. */
export async function ownerOfEnd(sql: Sql, endKey: string) {
  const [row] = await sql
    .select({ companyId: mails.companyId, userId: mails.userId })
    .from(mails)
    .where(eq(mails.endKey, endKey))
  return row ?? null
}

/** Whose mail is due, of all companies. */
export const dueReportMails = (sql: Sql, most: number, passed: number[] = []) =>
  sql
    .select({ companyId: mails.companyId, userId: mails.userId })
    .from(mails)
    .where(and(lte(mails.dueAt, tag`now()`), outside(mails.companyId, passed)))
    .orderBy(asc(mails.dueAt))
    .limit(most)

export interface DueMail extends ReportMailRow {
  /** The last whole week, by the company's clock: its Monday and its Sunday. */
  initialDate: string
  finalDate: string
  /** It leaves a day or more after it was due: nothing ran then. */
  isLate: boolean
}

/** Null when it is not due any more. */
export async function dueMailOf(tx: Tx, userId: number): Promise<DueMail | null> {
  const [row] = await tx.sql
    .select()
    .from(mails)
    .where(and(own(tx, userId), lte(mails.dueAt, tag`now()`)))
  if (!row) return null
  // of those that were missed the newest
  const latest = tag`now() at time zone ${await ownZone(tx)} - make_interval(hours => ${HOUR}::int)`
  const monday = tag`date_trunc('week', ${latest})::date`
  const [week] = await rowsFrom<Pick<DueMail, 'initialDate' | 'finalDate' | 'isLate'>>(
    tx.sql,
    tag`select (${monday} - 7)::text as "initialDate", (${monday} - 1)::text as "finalDate",
      ${row.dueAt}::timestamptz < now() - interval '1 day' as "isLate"`,
  )
  return { ...row, ...week! }
}

/**
 * The next one is due in a week, however many were missed. Returns the key of the link that ends them; null when another
 * worker was faster, or it was stopped.
 */
export async function planNextMail(tx: Tx, { userId, dueAt }: DueMail): Promise<string | null> {
  const [planned] = await tx.sql
    .update(mails)
    .set({ dueAt: await nextMonday(tx), endKey: tag`coalesce(${mails.endKey}, gen_random_uuid())` })
    .where(and(own(tx, userId), eq(mails.dueAt, dueAt)))
    .returning({ endKey: mails.endKey })
  return planned?.endKey ?? null
}

/** The names of these queues and users; of deleted ones none. */
export async function namesOfChosen(
  tx: Tx,
  { queueIds, userIds }: Pick<ReportMailRow, 'queueIds' | 'userIds'>,
) {
  const named = (table: typeof queues | typeof users, ids: number[]) =>
    ids.length === 0
      ? []
      : tx.sql
          .select({ id: table.id, name: table.name })
          .from(table)
          .where(and(eq(table.companyId, tx.companyId), inArray(table.id, ids)))
          .orderBy(asc(table.name))
  return { queues: await named(queues, queueIds), users: await named(users, userIds) }
}

/** The hour of the company's clock at which mails leave. */
const HOUR = 7

/** The first Monday at that hour that is yet to come. */
async function nextMonday(tx: Tx): Promise<SQL> {
  const zone = await ownZone(tx)
  const hours = tag`make_interval(hours => ${HOUR}::int)`
  return tag`(date_trunc('week', now() at time zone ${zone} - ${hours}) + interval '7 days' + ${hours}) at time zone ${zone}`
}

const own = (tx: Tx, userId: number) => and(eq(mails.companyId, tx.companyId), eq(mails.userId, userId))
