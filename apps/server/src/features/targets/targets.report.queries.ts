import type { MissedTarget, TargetsPart } from '@balcao/contract/targets.ts'
import { onePage } from '../../platform/lists/lists.ts'
import { and, desc, eq, rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { queues } from '../queues/queues.table.ts'
import type { ReportRange } from '../reports/reports.range.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'
import { outcomesIn } from './targets.queries.ts'
import { targetOutcomes as outcomes } from './targets.table.ts'

/** How often each was kept and missed, by queue or by user, the most missed first. */
export async function targetParts(tx: Tx, range: ReportRange, by: 'queue' | 'user'): Promise<TargetsPart[]> {
  const [id, names] = by === 'queue' ? [outcomes.queueId, tag`queues`] : [outcomes.userId, tag`users`]
  const counted = (kind: string) => tag`json_build_object(
    'kept', count(*) filter (where kind = ${kind} and kept), 'missed', count(*) filter (where kind = ${kind} and not kept))`
  return rowsFrom<TargetsPart & Record<string, unknown>>(
    tx.sql,
    tag`select parts.*, coalesce(n.name, '') as name from (
        select ${id} as id, ${counted('firstReply')} as "firstReply", ${counted('reply')} as reply,
          ${counted('resolution')} as resolution, count(*) filter (where not kept) as worst
        from ${outcomes} where ${outcomesIn(tx, range)} group by 1) as parts
      left join ${names} n on n.company_id = ${tx.companyId} and n.id = parts.id
      order by worst desc, name, id`,
  )
}

const none = (name: unknown) => tag<string>`coalesce(${name}, '')`

const selectMissed = (tx: Tx, which: SQL | undefined) =>
  tx.sql
    .select({
      id: outcomes.id,
      ticketId: outcomes.ticketId,
      kind: outcomes.kind,
      contact: contacts.name,
      queue: none(queues.name),
      user: none(users.name),
      dueAt: outcomes.dueAt,
      at: outcomes.at,
    })
    .from(outcomes)
    .innerJoin(tickets, and(eq(tickets.companyId, outcomes.companyId), eq(tickets.id, outcomes.ticketId)))
    .innerJoin(contacts, and(eq(contacts.companyId, tickets.companyId), eq(contacts.id, tickets.contactId)))
    .leftJoin(queues, and(eq(queues.companyId, outcomes.companyId), eq(queues.id, outcomes.queueId)))
    .leftJoin(users, and(eq(users.companyId, outcomes.companyId), eq(users.id, outcomes.userId)))
    .where(and(eq(outcomes.companyId, tx.companyId), eq(outcomes.kept, false), which))
    .orderBy(desc(outcomes.at), desc(outcomes.id))

/** One page of what was missed in a range, newest first. */
export async function listMissed(tx: Tx, range: ReportRange, asked: { pageNumber?: number | undefined }) {
  const found = selectMissed(tx, outcomesIn(tx, range))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { missed: rows, hasMore }
}

/** The first ones of a range, for a spreadsheet. */
export const missedOf = async (tx: Tx, range: ReportRange, most: number): Promise<MissedTarget[]> =>
  selectMissed(tx, outcomesIn(tx, range)).limit(most)

export async function findMissed(tx: Tx, id: number): Promise<MissedTarget | null> {
  const [row] = await selectMissed(tx, eq(outcomes.id, id))
  return row ?? null
}
