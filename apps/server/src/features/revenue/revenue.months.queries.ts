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

/**
 * The periods of all invoices that count, with their cents a month. Companies that were deleted have negative numbers; their
 * invoices are numbered by themselves.
 */
const PERIODS = tag`
  select company_id, id as invoice_id, start_invoice_period as starts, coalesce(released_from - 1, end_invoice_period) as ends,
    (value + credited_value - carried_value - late_value) / recurrence as value, is_automatic
  from invoices where cancelled_at is null or cancel_reason = 'carried'
  union all
  select payer, id, start_period, end_period, value, is_automatic from former_invoices`

/**
 * The invoice that counts of each company on each of some days, with its cents a month; `n` is the number of the day. The days
 * rise, so that those within a period are found among them without a comparison with each.
 */
export const countedOnDays = (days: string[]): SQL => {
  const all = tag`${`{${days}}`}::date[]`
  return tag`
  select distinct on (company_id, n) company_id, n, invoice_id, value
  from (
    select company_id, invoice_id, value, is_automatic, starts,
      generate_series(width_bucket(starts - 1, ${all}), width_bucket(ends, ${all}) - 1) as n
    from (${PERIODS}) periods where starts <= ${days.at(-1)!}::date and ends >= ${days[0]!}::date) held
  order by company_id, n, is_automatic desc, starts desc, invoice_id desc`
}

/** Whether the company had revenue before the day on which it had none. */
const hadBefore = (companyId: SQL, day: SQL) => tag`exists (
  select from (${PERIODS}) e where e.company_id = ${companyId} and e.starts < ${day} and e.ends >= e.starts)`

/**
 * Each company that had revenue on a day or on the one before it, and how it moved; `n` is the number of the day. On the first
 * day all revenue is new. The figures of a month and the rows behind them are both read from it.
 */
const movesOf = (days: string[]): SQL => tag`
  select at as n, company_id, invoice_id, at = n as counts,
    case when at > n then value else coalesce(before, 0) end as before, case when at > n then 0 else value end as after,
    case when at > n then 'churned'
      when before is null then case when had_before then 'reactivated' else 'new' end
      when value > before then 'expansion' when value < before then 'contraction' else 'same' end as move
  from (select *, generate_series(n, n + churns::int) as at from (
    select *, case when lag(n) over own = n - 1 then lag(value) over own end as before,
      n < ${days.length - 1} and lead(n) over own is distinct from n + 1 as churns,
      lag(n) over own is not null or n > 0
        and ${hadBefore(tag`counted.company_id`, tag`(${`{${days}}`}::date[])[n]`)} as had_before
    from (${countedOnDays(days)}) counted window own as (partition by company_id order by n)) beside) moved`

/** The days of a month and of the one before it. */
const around = (month: string, today: string) => [
  countedOn(monthBefore(month), today),
  countedOn(month, today),
]

const NOTHING: RevenueSum = { count: 0, value: 0 }

type Moved = { n: number; move: RevenueMove } & RevenueSum

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
    tag`select n, move, count(*)::int as count, sum(after - before)::float8 as value
      from (${movesOf(days)}) moves where move <> 'same' group by n, move`,
  )
  const received = await receivedByMonth(sql, { from: names[1]!, until: names.at(-1)!, zone })
  const of = (n: number, move: RevenueMove) => {
    const { count, value } = moved.find(row => row.n === n && row.move === move) ?? NOTHING
    return { count, value }
  }
  const sums = mrrOf(moved, days.length)
  return names
    .slice(1)
    .map((month, at) => {
      const [before, churned] = [sums[at]!, of(at + 1, 'churned')]
      return {
        ...{ month, day: days[at + 1]!, mrr: sums[at + 1]!, churned },
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

/** The companies that have revenue since a company moved so, less those that had. */
const GAINED: Record<RevenueMove, number> = {
  new: 1,
  reactivated: 1,
  expansion: 0,
  contraction: 0,
  churned: -1,
}

/** What the moves up to each day add up to. */
function mrrOf(moved: Moved[], days: number): RevenueSum[] {
  const sum = { ...NOTHING }
  return Array.from({ length: days }, (_, n) => {
    for (const { move, count, value } of moved.filter(row => row.n === n)) {
      sum.count += GAINED[move] * count
      sum.value += value
    }
    return { ...sum }
  })
}

async function receivedByMonth(
  sql: Sql,
  { from, until, zone }: { from: string; until: string; zone: string },
): Promise<Map<string, RevenueSum>> {
  const rows = await rowsFrom<RevenueSum & { month: string; kind: string }>(
    sql,
    // by day first: the text of the month is written once a day instead of once a receipt
    tag`select to_char(day, 'YYYY-MM') as month, kind, sum(count)::int as count, sum(value)::float8 as value
      from (select day, kind, count(*) as count, sum(value) as value
        from (${receiptLines({ from: boundsOf(from).from, until: boundsOf(until).until }, zone)}) receipts group by 1, 2) days
      group by 1, 2`,
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
      tag`select company_id as id, coalesce(c.name, '') as "companyName", move, before, after,
          case when company_id > 0 then invoice_id end as "invoiceId"
        from (${movesOf(around(month, today))}) moves left join companies c on c.id = moves.company_id
        where n = 1 and ${found} order by ${move ? tag`abs(after - before)` : tag`after`} desc, company_id
        limit ${limit} offset ${offset}`,
    ),
  )
  return { rows, hasMore }
}
