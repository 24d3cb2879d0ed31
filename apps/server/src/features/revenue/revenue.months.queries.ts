import type { PageQuery } from '@balcao/contract/kit.ts'
import { boundsOf, countedOn, monthBefore, type RevenueMove, rateOf } from '@balcao/contract/revenue.rules.ts'
import type { RevenueMonth, RevenueRow, RevenueSum } from '@balcao/contract/revenue.ts'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { receiptLines } from './revenue.receipts.queries.ts'

/** Today in the time zone of the operator. */
export async function todayIn(sql: Sql, zone: string): Promise<string> {
  const [row] = await rowsFrom<{ day: string }>(
    sql,
    tag`select to_char(now() at time zone ${zone}, 'YYYY-MM-DD') as day`,
  )
  return row!.day
}

/** Days as a relation of their numbers. */
const daysOf = (days: string[]) =>
  tag`(values ${tag.join(
    days.map((day, at) => tag`(${at}::int, ${day}::date)`),
    tag`, `,
  )}) as days (n, day)`

/** The invoice that counts of each company on each day, with its cents a month. */
export const countedOnDays = (days: string[]): SQL => tag`
  select distinct on (days.n, i.company_id) days.n, i.company_id, i.id as invoice_id, i.value / i.recurrence as value
  from ${daysOf(days)} join invoices i
    on i.start_invoice_period <= days.day and coalesce(i.released_from - 1, i.end_invoice_period) >= days.day
  where i.cancelled_at is null
    and coalesce(i.released_from - 1, i.end_invoice_period) >= ${days[0]!}::date
  order by days.n, i.company_id, i.is_automatic desc, i.start_invoice_period desc, i.id desc`

/** Whether the company had revenue before the day on which it had none. */
const hadBefore = (companyId: SQL, day: SQL) => tag`exists (
  select from invoices e where e.company_id = ${companyId} and e.cancelled_at is null and e.start_invoice_period < ${day}
    and coalesce(e.released_from > e.start_invoice_period, true))`

/**
 * Each company that had revenue on a day or on the one before it in the list, and how it moved; `n` is the number of the day. The
 * figures of a month and the rows behind them are both read from it.
 */
const movesOf = (days: string[]): SQL => tag`
  with counted as materialized (${countedOnDays(days)}), bounds as (select * from ${daysOf(days)})
  select coalesce(a.n, b.n + 1) as n, coalesce(a.company_id, b.company_id) as company_id,
    coalesce(b.value, 0) as before, coalesce(a.value, 0) as after, coalesce(a.invoice_id, b.invoice_id) as invoice_id,
    a.company_id is not null as counts,
    case when a.company_id is null then 'churned'
      when b.company_id is null then
        case when ${hadBefore(tag`a.company_id`, tag`(select day from bounds where bounds.n = a.n - 1)`)}
          then 'reactivated' else 'new' end
      when a.value > b.value then 'expansion' when a.value < b.value then 'contraction' else 'same' end as move
  from (select * from counted where n > 0) a
  full join (select *, n + 1 as next from counted where n < ${days.length - 1}) b
    on b.company_id = a.company_id and b.next = a.n`

/** The days of a month and of the one before it. */
const around = (month: string, today: string) => [
  countedOn(monthBefore(month), today),
  countedOn(month, today),
]

const NOTHING: RevenueSum = { count: 0, value: 0 }

type Moved = { n: number; move: RevenueMove | 'mrr' } & RevenueSum

/** The last months up to today, the newest first. */
export async function revenueMonths(
  sql: Sql,
  { months, today, zone }: { months: number; today: string; zone: string },
): Promise<RevenueMonth[]> {
  // the month before the first one is what that one moved from
  const names = Array.from({ length: months + 1 }, (_, at) => monthBefore(today, months - at))
  const days = names.map(month => countedOn(month, today))
  const moved = await rowsFrom<Moved>(
    sql,
    tag`with moves as materialized (${movesOf(days)})
      select n, move, count(*)::int as count, sum(after - before)::float8 as value from moves
      where move <> 'same' group by n, move
      union all
      select n, 'mrr', count(*)::int, sum(after)::float8 from moves where counts group by n
      union all
      select 0, 'mrr', count(*)::int, coalesce(sum(value), 0)::float8 from (${countedOnDays([days[0]!])}) first`,
  )
  const received = await receivedByMonth(sql, { from: names[1]!, until: names.at(-1)!, zone })
  const of = (n: number, move: Moved['move']) => {
    const { count, value } = moved.find(row => row.n === n && row.move === move) ?? NOTHING
    return { count, value }
  }
  return names
    .slice(1)
    .map((month, at) => {
      const [before, churned] = [of(at, 'mrr'), of(at + 1, 'churned')]
      return {
        ...{ month, day: days[at + 1]!, mrr: of(at + 1, 'mrr'), churned },
        ...{ new: of(at + 1, 'new'), reactivated: of(at + 1, 'reactivated') },
        ...{ expansion: of(at + 1, 'expansion'), contraction: of(at + 1, 'contraction') },
        churnRate: rateOf(churned.count, before.count),
        revenueChurnRate: rateOf(-churned.value, before.value),
        received: received.get(`${month} payment`) ?? NOTHING,
        refunded: received.get(`${month} refund`) ?? NOTHING,
      }
    })
    .toReversed()
}

async function receivedByMonth(
  sql: Sql,
  { from, until, zone }: { from: string; until: string; zone: string },
): Promise<Map<string, RevenueSum>> {
  const rows = await rowsFrom<RevenueSum & { month: string; kind: string }>(
    sql,
    tag`select to_char(day, 'YYYY-MM') as month, kind, count(*)::int as count, sum(value)::float8 as value
      from (${receiptLines({ from: boundsOf(from).from, until: boundsOf(until).until }, zone)}) receipts group by 1, 2`,
  )
  return new Map(rows.map(({ month, kind, count, value }) => [`${month} ${kind}`, { count, value }]))
}

interface RowsAsked extends PageQuery {
  month: string
  move?: RevenueMove | undefined
  today: string
}

/** The companies behind a figure of a month, the largest change first. */
export async function revenueRows(sql: Sql, { month, move, today, ...asked }: RowsAsked) {
  const found = move ? tag`move = ${move}` : tag`counts`
  const { rows, hasMore } = await onePage(asked, (limit, offset) =>
    rowsFrom<RevenueRow>(
      sql,
      tag`select c.id, c.name as "companyName", move, before, after, invoice_id as "invoiceId"
        from (${movesOf(around(month, today))}) moves join companies c on c.id = moves.company_id
        where ${found} order by ${move ? tag`abs(after - before)` : tag`after`} desc, c.id
        limit ${limit} offset ${offset}`,
    ),
  )
  return { rows, hasMore }
}
