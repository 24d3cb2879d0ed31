import type { PauseSum, PresenceSum } from '@balcao/contract/team.ts'
import { and, eq, gte, isNotNull, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { zoneOf } from '../companies/companies.queries.ts'
import type { ReportRange } from '../reports/reports.range.queries.ts'
import { ticketServices as served } from '../reports/reports.table.ts'
import { openTicketsByUser } from '../tickets/moves/attendants.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'

export interface TeamFigures {
  open: number
  waiting: number
  waitingSince: string | null
  resolvedToday: number
}

/** By user. Open ones from the counters, waiting ones from the index of waiting tickets, closings from that of the day. */
export async function figuresByUser(tx: Tx): Promise<Map<number, TeamFigures>> {
  const open = await openTicketsByUser(tx)
  const waiting = await waitingByUser(tx)
  const resolved = await resolvedTodayByUser(tx)
  const waits = new Map(waiting.map(one => [one.userId, one]))
  const closings = new Map(resolved.map(one => [one.userId, one.count]))
  return new Map(
    open.map(({ userId, openTickets }) => [
      userId,
      {
        open: openTickets,
        waiting: waits.get(userId)?.count ?? 0,
        waitingSince: waits.get(userId)?.since ?? null,
        resolvedToday: closings.get(userId) ?? 0,
      },
    ]),
  )
}

const waitingByUser = (tx: Tx) =>
  tx.sql
    .select({
      userId: tickets.userId,
      count: tag<number>`count(*)::int`,
      since: tag<string>`min(${tickets.waitingSince})`.mapWith(tickets.waitingSince),
    })
    .from(tickets)
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.status, 'open'),
        // as in the index `tickets_by_waiting`
        tag`coalesce(${tickets.waitingSince}, 'infinity'::timestamptz) < 'infinity'::timestamptz`,
        isNotNull(tickets.userId),
      ),
    )
    .groupBy(tickets.userId)

const startOfToday = (tx: Tx) =>
  tag`date_trunc('day', now() at time zone ${zoneOf(tx)}) at time zone ${zoneOf(tx)}`

const resolvedTodayByUser = (tx: Tx) =>
  tx.sql
    .select({ userId: served.userId, count: tag<number>`count(*)::int` })
    .from(served)
    .where(and(eq(served.companyId, tx.companyId), gte(served.closedAt, startOfToday(tx))))
    .groupBy(served.userId)

interface Stretch {
  userId: number
  user: string
  state: 'available' | 'pause'
  reasonId: number | null
  reason: string
  count: number
  seconds: number
  longestSeconds: number
}

/** Stretches of a range by user, state and reason; each counts with its part in the range, the last one up to now. */
async function stretchesIn(tx: Tx, { from, until, userIds }: ReportRange): Promise<Stretch[]> {
  const these = userIds.length > 0 ? tag`and s.user_id in ${userIds}` : tag``
  return rowsFrom<Stretch>(
    tx.sql,
    tag`select u.id as "userId", u.name as "user", part.state, part.reason_id as "reasonId", coalesce(r.name, '') as reason,
        count(*)::int as count, round(sum(part.seconds))::int as seconds, round(max(part.seconds))::int as "longestSeconds"
      from (select s.user_id, s.state, s.reason_id, extract(epoch from
            least(coalesce(s.ended_at, now()), ${until}::timestamptz) - greatest(s.began_at, ${from}::timestamptz)) as seconds
          from availability_spells s
          where s.company_id = ${tx.companyId} and s.state <> 'away' and s.began_at <= ${until}::timestamptz
            and (s.ended_at > ${from}::timestamptz or s.ended_at is null) ${these}) part
        join users u on u.company_id = ${tx.companyId} and u.id = part.user_id
        left join pause_reasons r on r.company_id = u.company_id and r.id = part.reason_id
      where part.seconds >= 0
      group by u.id, u.name, part.state, part.reason_id, r.name
      order by folded(u.name), u.id, folded(coalesce(r.name, '')), part.reason_id`,
  )
}

/** Of a range: the pauses, and how long each user was available. */
export async function pausesIn(
  tx: Tx,
  range: ReportRange,
): Promise<{ pauses: PauseSum[]; users: PresenceSum[] }> {
  const stretches = await stretchesIn(tx, range)
  const users = new Map<number, PresenceSum>()
  for (const { userId, user, state, count, seconds } of stretches) {
    const sum = users.get(userId) ?? { userId, user, availableSeconds: 0, pauses: 0, pauseSeconds: 0 }
    if (state === 'available') sum.availableSeconds += seconds
    else {
      sum.pauses += count
      sum.pauseSeconds += seconds
    }
    users.set(userId, sum)
  }
  const pauses = stretches.filter(({ state }) => state === 'pause').map(({ state: _pause, ...sum }) => sum)
  return { pauses, users: [...users.values()] }
}
