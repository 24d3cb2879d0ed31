import type { PageQuery } from '@balcao/contract/kit.ts'
import { TRIAL_DAYS } from '@balcao/contract/leads.rules.ts'
import { SUBSCRIBER_STATES, type SubscriberState } from '@balcao/contract/revenue.rules.ts'
import type { PlanShare, Subscriber } from '@balcao/contract/revenue.ts'
import { onePage } from '../../platform/lists/lists.ts'
import { patternOf } from '../../platform/lists/sought.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { countedOnDays } from './revenue.months.queries.ts'

/** Trials that end this soon are counted apart. */
const SOON_DAYS = 7

/** The first day after the trial: as it was prolonged, else of a company that signed up by the store; null for others. */
export const dayAfterTrial = (
  zone: string,
) => tag`coalesce(s.trial_ends_on, case when c.lead_id is not null then
  (c.created_at at time zone coalesce(c.time_zone, ${zone}))::date + ${TRIAL_DAYS}::int end)`

/** The billing state of every company today. The figures and their rows are both read from it. */
const subscribers = (today: string, zone: string): SQL => tag`
  select c.id, c.name as "companyName", coalesce(p.name, '') as "planName", coalesce(counted.value, 0) as mrr,
    case when trial.ends_on > ${today}::date then to_char(trial.ends_on, 'YYYY-MM-DD') end as "trialEndsOn",
    coalesce(counted.company_id is null and c.status = 1 and trial.ends_on > ${today}::date
      and trial.ends_on <= ${today}::date + ${SOON_DAYS}::int, false) as is_ending,
    case when counted.company_id is not null then case when exists (
        select from invoices i where i.company_id = c.id and i.status = 'OVERDUE') then 'risk' else 'paying' end
      when s.unpaid_since <= ${today}::date then 'lapsed' when c.status = 0 then 'off'
      when exists (select from subscription_pauses u where u.company_id = c.id and u.from_day <= ${today}::date
        and coalesce(u.until_day > ${today}::date, true)) then 'paused'
      when trial.ends_on > ${today}::date then 'trial' else 'unbilled' end as state
  from companies c left join plans p on p.company_id = c.id left join subscriptions s on s.company_id = c.id
  left join (${countedOnDays([today])}) counted on counted.company_id = c.id
  cross join lateral (select ${dayAfterTrial(zone)} as ends_on) trial
  where c.leaving_at is null`

interface At {
  today: string
  zone: string
}

/** Companies by plan and billing state today, the plans with the most first. */
export async function planShares(sql: Sql, { today, zone }: At) {
  const rows = await rowsFrom<{
    planName: string
    state: SubscriberState
    count: number
    mrr: number
    ending: number
  }>(
    sql,
    tag`select "planName", state, count(*)::int as count, sum(mrr)::float8 as mrr,
        (count(*) filter (where is_ending))::int as ending
      from (${subscribers(today, zone)}) found group by 1, 2`,
  )
  const count = (state: SubscriberState, of = rows) =>
    of.filter(row => row.state === state).reduce((sum, row) => sum + row.count, 0)
  const withRevenue = (state: SubscriberState, of: typeof rows) => ({
    count: count(state, of),
    value: of.reduce((sum, row) => sum + (row.state === state ? row.mrr : 0), 0),
  })
  const named = Map.groupBy(rows, ({ planName }) => planName)
  const plans = [...named].map(
    ([planName, of]): PlanShare => ({
      planName,
      companies: of.reduce((sum, row) => sum + row.count, 0),
      ...{ paying: withRevenue('paying', of), risk: withRevenue('risk', of) },
      trial: count('trial', of),
    }),
  )
  const states = Object.fromEntries(SUBSCRIBER_STATES.map(state => [state, count(state)]))
  return {
    plans: plans.toSorted(
      (one, other) => other.companies - one.companies || (one.planName < other.planName ? -1 : 1),
    ),
    states: states as Record<SubscriberState, number>,
    endingTrials: rows.reduce((sum, { ending }) => sum + ending, 0),
  }
}

interface SubscribersAsked extends PageQuery, At {
  planName?: string | undefined
  state?: SubscriberState | undefined
  ending?: 'soon' | undefined
}

/** Those companies by name, a page at a time. */
export async function listSubscribers(
  sql: Sql,
  { today, zone, planName, state, ending, ...asked }: SubscribersAsked,
) {
  const like = patternOf(asked.searchParam ?? '')
  const where = [
    ...(planName === undefined ? [] : [tag`"planName" = ${planName}`]),
    ...(state === undefined ? [] : [tag`state = ${state}`]),
    ...(ending === undefined ? [] : [tag`is_ending`]),
    ...(like ? [tag`folded("companyName") like ${like}`] : []),
  ]
  const { rows, hasMore } = await onePage(asked, (limit, offset) =>
    rowsFrom<Subscriber>(
      sql,
      tag`select * from (${subscribers(today, zone)}) found
        where ${where.length > 0 ? tag.join(where, tag` and `) : tag`true`}
        order by folded("companyName"), id limit ${limit} offset ${offset}`,
    ),
  )
  return { rows, hasMore }
}
