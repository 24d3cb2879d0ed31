import { keepDays } from '../apps/server/src/features/reports/reports.days.queries.ts'
import { sql as tag } from '../apps/server/src/platform/postgres/sql.ts'
import type { Size } from './dataset.ts'
import { type Driver, drive, run } from './load.ts'
import type { Judged } from './paths.ts'
import type { Place } from './place.ts'

export const DASHBOARD = 'GET /dash/attendances'
const HOURS = 'GET /report/hours'
const BESIDE = 'GET /tickets of a company beside dashboards of another'
/** Not one that the other rows look at. */
const COMPANY = 5
const NEIGHBOUR = 6
const ADMIN = 1
const CLOSINGS = 1_000_000
const ZONE = 'America/Sao_Paulo'

/** What a manager asks of a company that closed a million tickets in a year, and how another company fares beside it. */
export async function driveReports(driver: Driver, place: Place, size: Size): Promise<Judged[]> {
  const closings = Math.round((CLOSINGS * size.closed) / 46_000)
  await place.within(async sql => {
    // as fast as the data set: nothing is added up yet that triggers could forget
    await sql.execute(
      tag.raw('set local session_replication_role = replica; set local statement_timeout = 0'),
    )
    await sql.execute(tag.raw(aYear(size, closings)))
  })
  for (const table of ['ticket_services', 'ticket_segments']) await place.sweep(table)
  // as the chore of the night does
  while ((await place.within(sql => keepDays({ sql, companyId: COMPANY }, ZONE))) > 0);
  for (const table of ['report_days', 'report_days_kept']) await place.sweep(table)
  const token = await driver.as(COMPANY, ADMIN)
  const rows: Judged[] = []
  for (const [path, name, days, most] of [
    [DASHBOARD, 'a month', 30, 300],
    [DASHBOARD, 'a year', 365, 1_000],
    [HOURS, 'a year', 365, 500],
  ] as const) {
    const dashboard = () => looking(driver, token, path, days, driver.seconds)
    await dashboard()
    const { requests, duration, latency, non2xx, errors } = await dashboard()
    rows.push({
      path: `${path}, ${name} of ${closings} closings a year`,
      requestsPerSecond: Math.round(requests.total / duration),
      ...{ p50: latency.p50, p99: latency.p99, statements: 0, cpu: 0, bytes: 0, failures: non2xx + errors },
      ...{ target: `p50 ≤ ${most} ms`, met: requests.total > 0 && latency.p50 <= most },
    })
  }
  return [...rows, ...(await beside(driver, token))]
}

async function beside(driver: Driver, token: string): Promise<Judged[]> {
  const other = await driver.as(NEIGHBOUR, ADMIN)
  const list = (name: string) =>
    drive(driver, `${BESIDE}, ${name}`, other, () => ({ path: '/tickets?status=open' }))
  const alone = await list('none')
  const dashboards = looking(driver, token, DASHBOARD, 30, driver.seconds + 3, 1)
  const under = await list('one a second')
  await dashboards
  const target = 'p50 within 1.2 × of none'
  return [
    { ...alone, target: '', met: true },
    { ...under, target, met: under.p50 <= alone.p50 * 1.2 + 0.5 },
  ]
}

function looking(
  driver: Driver,
  token: string,
  path: string,
  days: number,
  seconds: number,
  perSecond?: number,
) {
  const from = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const next = () => ({ path: `${path.replace('GET ', '')}?initialDate=${from}` })
  const pace = { connections: 1, ...(perSecond && { perSecond }) }
  return run(driver.product.url, { authorization: `Bearer ${token}` }, next, seconds, pace)
}

/** Closings spread over the people, queues and days of a company; each belongs to one of its tickets, and had one attendant. */
const aYear = (size: Size, closings: number) => `
  with own as (select array_agg(id) as ids from tickets where company_id = ${COMPANY}),
    team as (select array_agg(id) as ids from users where company_id = ${COMPANY}),
    places as (select array_agg(id) as ids from queues where company_id = ${COMPANY}),
    closed as (insert into ticket_services (company_id, history_id, closed_at, ticket_id, user_id, queue_id, whatsapp_id,
      wait_seconds, serve_seconds, began_at, answer_seconds, began_outside)
    select ${COMPANY}, 1000000000 + n, now() - interval '365 days' * (n / ${closings}::float8),
      own.ids[1 + n % cardinality(own.ids)], team.ids[1 + n % cardinality(team.ids)],
      places.ids[1 + n % cardinality(places.ids)], ${size.connections} + ${COMPANY} - 1, n % 900, n % 3600,
      now() - interval '365 days' * (n / ${closings}::float8) - interval '2 hours', n % 1200, n % 5 = 0
    from generate_series(1, ${closings}) n, own, team, places
    on conflict do nothing
    returning company_id, history_id, user_id, queue_id, serve_seconds)
  insert into ticket_segments (company_id, history_id, place, kind, user_id, queue_id, seconds)
    select company_id, history_id, 1, 'serve', user_id, queue_id, serve_seconds from closed`
