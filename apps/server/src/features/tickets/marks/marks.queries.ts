import type { TicketMarks } from '@balcao/contract/tickets.ts'
import { given } from '../../../platform/postgres/prepared.ts'
import { and, eq, inArray, isNotNull, isNull, rowsFrom, sql as tag } from '../../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../../platform/scope.ts'
import { ticketMarks, tickets } from '../tickets.table.ts'

const columns = { pinned: 'pinnedAt', following: 'followedAt' } as const
/** What goes with a mark. */
const without = { pinned: { pinnedAt: null }, following: { followedAt: null, newsAt: null } } as const
const other = { pinned: 'followedAt', following: 'pinnedAt' } as const

/** What one user marks is marked in turn. */
export const lockMarks = (tx: Tx) =>
  tx.sql.execute(tag`select pg_advisory_xact_lock(hashtext('ticketMarks'), ${viewerOf(tx).id})`)

export async function putMark(tx: Tx, ticketId: number, how: keyof TicketMarks): Promise<void> {
  await tx.sql
    .insert(ticketMarks)
    .values({ companyId: tx.companyId, userId: viewerOf(tx).id, ticketId, [columns[how]]: tag`now()` })
    .onConflictDoUpdate({
      target: [ticketMarks.companyId, ticketMarks.userId, ticketMarks.ticketId],
      set: { [columns[how]]: tag`now()` },
    })
}

export async function dropMark(tx: Tx, ticketId: number, how: keyof TicketMarks): Promise<void> {
  const own = and(ofViewer(tx), eq(ticketMarks.ticketId, ticketId))
  await tx.sql.delete(ticketMarks).where(and(own, isNull(ticketMarks[other[how]])))
  await tx.sql.update(ticketMarks).set(without[how]).where(own)
}

/** Makes room: the viewer's marks of one kind go from what is closed. Answers the tickets. */
export async function dropMarksOfClosed(tx: Tx, how: keyof TicketMarks): Promise<number[]> {
  const closed = tag`exists (select from ${tickets} t where t.company_id = ${tx.companyId}
    and t.id = ${ticketMarks.ticketId} and t.status = 'closed')`
  const own = and(ofViewer(tx), isNotNull(ticketMarks[columns[how]]), closed)
  const { ticketId } = ticketMarks
  const gone = await tx.sql
    .delete(ticketMarks)
    .where(and(own, isNull(ticketMarks[other[how]])))
    .returning({ ticketId })
  const kept = await tx.sql.update(ticketMarks).set(without[how]).where(own).returning({ ticketId })
  return [...gone, ...kept].map(row => row.ticketId)
}

/** Tickets are deleted: no user has marks on them any more. Answers who had. */
export const deleteMarksOf = (tx: Tx, ticketIds: number[]): Promise<{ userId: number; ticketId: number }[]> =>
  tx.sql
    .delete(ticketMarks)
    .where(and(eq(ticketMarks.companyId, tx.companyId), inArray(ticketMarks.ticketId, ticketIds)))
    .returning({ userId: ticketMarks.userId, ticketId: ticketMarks.ticketId })

/** Whether the ticket of a message has followers, besides its attendant, for whom nothing of it is new yet; a lookup. */
export const followersQuery = () =>
  tag`select true from ${ticketMarks} m where m.company_id = ${given('companyId')} and m.ticket_id = asked.ticket_id
    and m.followed_at is not null and m.news_at is null and m.user_id is distinct from asked.user_id limit 1`

/** The customer of a ticket wrote. Answers the followers for whom that is the first news. */
export const putNews = (tx: Tx, { id, userId }: { id: number; userId: number | null }) =>
  rowsFrom<{ userId: number }>(
    tx.sql,
    tag`update ${ticketMarks} m set news_at = now() where m.company_id = ${tx.companyId}
      and m.ticket_id = ${id} and m.followed_at is not null and m.news_at is null
      and m.user_id is distinct from ${userId}::int returning m.user_id as "userId"`,
  )

/** The viewer saw it. False where nothing was new. */
export async function dropNews(tx: Tx, ticketId: number): Promise<boolean> {
  const dropped = await tx.sql
    .update(ticketMarks)
    .set({ newsAt: null })
    .where(and(ofViewer(tx), eq(ticketMarks.ticketId, ticketId), isNotNull(ticketMarks.newsAt)))
    .returning({ ticketId: ticketMarks.ticketId })
  return dropped.length > 0
}

const ofViewer = (tx: Tx) =>
  and(eq(ticketMarks.companyId, tx.companyId), eq(ticketMarks.userId, viewerOf(tx).id))
