import { ALL, firstClient, foundClients, removeClients } from './clients.ts'
import type { Size } from './dataset.ts'
import { sharesOf } from './live.ts'
import type { Driver } from './load.ts'
import type { Place } from './place.ts'
import { type Product, pause } from './product.ts'
import type { Single } from './report.ts'
import { evenly } from './screens.ts'

export const BILLING = 'billing: the first of the month'
/** A run that takes longer is not waited for. */
const MOST_SECONDS = 600

const LISTS_PER_SECOND = 20
/** Of a few requests the slowest decide: so long as billing ten thousand takes at least. */
const LISTED_SECONDS = 20

/** Seldom: each look is a new connection, whose start delays a list by as much as all of the billing. */
const POLL_MS = 5_000

/** Every company gets its invoice in one run of the hourly job, while another company lists its tickets. */
export async function driveBilling(driver: Driver, place: Place, size: Size): Promise<Single[]> {
  await foundClients(place, size)
  await place.query(`update plans set value_1_month = 9990 where company_id >= ${firstClient(size)}`)
  await place.query(`update companies set time_zone = '${nightZone()}' where id >= ${firstClient(size)}`)
  // as of companies that were billed before: the first time is a few statements more
  await place.query(`insert into subscriptions (company_id, adopted_at)
    select id, now() from companies where id >= ${firstClient(size)} on conflict do nothing`)
  for (const table of ['plans', 'plan_prices', 'subscriptions']) await place.sweep(table)
  const lists = await listing(driver)
  await lists()
  const alone = await lists()
  const [month, beside] = await Promise.all([bill(driver.product, place), lists()])
  const hour = await bill(driver.product, place)
  await removeClients(place, size)
  return [
    judged(`${ALL} companies, each gets an invoice`, month, 60),
    judged('an hour later, nothing is due', hour, 2),
    {
      name: `${BILLING}, lists of another company beside and alone, p95`,
      value: `${beside} ms, ${alone} ms`,
      target: '≤ 1.3 ×',
      met: beside <= alone * 1.3,
    },
  ]
}

/** Where it is three in the morning: days begin at night, and notices wait for the morning. */
function nightZone(): string {
  const offset = ((3 - new Date().getUTCHours() + 36) % 24) - 12
  // west of Greenwich is positive in these names (POSIX)
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
}

/** Lists the tickets of another company for a while; answers the p95 of their milliseconds. */
async function listing(driver: Driver): Promise<() => Promise<number>> {
  const headers = { authorization: `Bearer ${await driver.as(2, 2)}` }
  return async () => {
    const took: number[] = []
    const list = async () => {
      const start = performance.now()
      const answer = await fetch(`${driver.product.url}/tickets?status=open`, { headers })
      await answer.text()
      // tenths, since what is compared is a few milliseconds
      took.push((performance.now() - start) * 10)
    }
    await evenly(LISTS_PER_SECOND, LISTED_SECONDS, list)
    return sharesOf(took)(0.95) / 10
  }
}

interface Run {
  seconds: number
  statements: number
  cpuSeconds: number
}

const judged = (what: string, { seconds, statements, cpuSeconds }: Run, most: number): Single => ({
  name: `${BILLING}, ${what}`,
  value: `${seconds.toFixed(1)} s (${(statements / ALL).toFixed(1)} SQL and ${((cpuSeconds * 1_000) / ALL).toFixed(1)} ms of the server a company)`,
  target: `≤ ${most} s`,
  met: seconds <= most,
})

/** Adds the job as its clock does, and waits until it is done. */
async function bill(product: Product, place: Place): Promise<Run> {
  const spent = async () =>
    [
      await product.metric('database_statements_total'),
      await product.metric('process_cpu_seconds_total'),
    ] as const
  const [statements, cpu] = await spent()
  await place.query(`insert into pgboss.job (name, data) values ('invoices.bill', '{}')`)
  const start = performance.now()
  for (;;) {
    const [row] = await place.query<{ state: string; seconds: number }>(
      `select state, extract(epoch from completed_on - started_on)::float8 as seconds
       from pgboss.job where name = 'invoices.bill' order by created_on desc limit 1`,
    )
    if (row!.state === 'completed') {
      const [after, cpuAfter] = await spent()
      return { seconds: row!.seconds, statements: after - statements, cpuSeconds: cpuAfter - cpu }
    }
    if (row!.state === 'failed') throw new Error('the billing job failed')
    if (performance.now() - start > MOST_SECONDS * 1_000) throw new Error('the billing job takes too long')
    await pause(POLL_MS)
  }
}
