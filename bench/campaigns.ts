import { setTimeout as pause } from 'node:timers/promises'
import { sheetOf, uploadSheet } from './contacts.ts'
import { type Size, SMALL } from './dataset.ts'
import { type Driver, drive } from './load.ts'
import type { Judged } from './paths.ts'
import type { Place } from './place.ts'
import type { Product } from './product.ts'
import type { Single } from './report.ts'
import { ask, evenly, phonesOf, write } from './screens.ts'

export const CAMPAIGNS = 'campaigns'
/** Not the company of the other rows. */
const COMPANY = 4
const PEOPLE = 100_000
const READY_SECONDS = 60
const READY_MB = 300
const PAGE_MS = 200
/** People of each of the campaigns that run at once. */
const EACH = 200
/** Numbers that each of them sends over. */
const LINES = 2
const LEAST_PER_SECOND = 300
const LIVE_PER_SECOND = 20
const LIVE_SECONDS = 10

/** Campaigns as they are filled, looked at, and sent, fifty at once, beside what customers write. */
export async function driveCampaigns(
  driver: Driver,
  place: Place,
  size: Size,
): Promise<{ paths: Judged[]; singles: Single[] }> {
  await place.query('update companies set enable_campaigns = true')
  await addLines(place)
  const setup = await makeSetup(driver, place, COMPANY)
  const { campaignId, singles } = await fill(driver, setup)
  await place.sweep('campaign_dispatches')
  const paths = await turnPages(driver, campaignId)
  singles.push(...(await sendAtOnce(driver, place, size)))
  return { paths, singles }
}

const NAME = 'Campanhas'

/**
 * Numbers that are not the default of their company, inserted by SQL: simulated ones can be added only to demo data.
 */
async function addLines(place: Place) {
  const columns = 'company_id, name, lib, status, number, wanted, wanted_order'
  await place.query(`insert into whatsapps (${columns})
    select c.id, '${NAME} ' || n, 'simulator', 'OPENING', '5511400' || lpad((c.id * 10 + n)::text, 5, '0'), 'on', 1
    from companies c, generate_series(1, ${LINES}) n
    where not exists (select from whatsapps w where w.company_id = c.id and w.name = '${NAME} ' || n)`)
  for (const until = performance.now() + 120_000; performance.now() < until; await pause(500)) {
    const away = await place.query(
      `select from whatsapps where name like '${NAME}%' and status <> 'CONNECTED'`,
    )
    if (away.length === 0) return
  }
  throw new Error('the numbers of the campaigns do not come up')
}

async function makeSetup(driver: Driver, place: Place, company: number): Promise<string> {
  const lines = await place.query<{ id: number }>(
    `select id from whatsapps where company_id = ${company} and name like '${NAME}%'`,
  )
  const body = { name: 'Ritmo', whatsapps: lines.map(({ id }) => id), autoStart: false }
  return (await ask<{ id: string }>(driver, company, 'POST', '/CampaignSetup', body)).id
}

const said = [{ greeting: 'Oi {{nome|tudo bem}}!', body: 'Chegaram novidades' }]

const emptyCampaign = async (driver: Driver, company: number, campaignSetupId: string) =>
  (
    await ask<{ id: number }>(driver, company, 'POST', '/Campaign', {
      ...{ name: 'Ofertas', campaignSetupId, messages: said },
    })
  ).id

/** From the file to a campaign that may be started. */
async function fill(driver: Driver, setup: string) {
  const { product } = driver
  const token = await driver.as(COMPANY, 1)
  const campaignId = await emptyCampaign(driver, COMPANY, setup)
  const file = sheetOf(PEOPLE)
  const before = await product.metric(MEMORY)
  const began = performance.now()
  const [added, most] = await atItsMost(product, async () => {
    const sheetId = await uploadSheet(driver, token, file)
    const path = `/Campaign/${campaignId}/recipients`
    return (await ask<{ added: number }>(driver, COMPANY, 'POST', path, { sheetId })).added
  })
  const seconds = (performance.now() - began) / 1000
  const [peak, start] = [most, before].map(bytes => Math.round(bytes / 2 ** 20))
  return {
    campaignId,
    singles: [
      {
        name: `a campaign of ${added} people from a spreadsheet, from the file until it may start`,
        value: `${seconds.toFixed(1)} s`,
        target: `≤ ${READY_SECONDS} s`,
        met: seconds <= READY_SECONDS && added === PEOPLE,
      },
      {
        name: 'memory that the server took for it, at its highest',
        value: `${peak! - start!} MB more than the ${start} MB before`,
        target: `≤ ${READY_MB} MB`,
        met: peak! - start! <= READY_MB,
      },
    ],
  }
}

const MEMORY = 'process_resident_memory_bytes'

/** What the work answers, and the most memory that the server held meanwhile. */
async function atItsMost<T>(product: Product, work: () => Promise<T>): Promise<[T, number]> {
  let most = 0
  const looking = setInterval(
    () =>
      void product.metric(MEMORY).then(
        now => {
          most = Math.max(most, now)
        },
        () => {},
      ),
    200,
  )
  try {
    const answer = await work()
    return [answer, most]
  } finally {
    clearInterval(looking)
  }
}

async function turnPages(driver: Driver, campaignId: number): Promise<Judged[]> {
  const token = await driver.as(COMPANY, 1)
  const page = () => 1 + Math.floor((Math.random() * PEOPLE) / 40)
  const rows: [name: string, query: () => string][] = [
    ['first page', () => 'pageNumber=1'],
    ['any page', () => `pageNumber=${page()}`],
    ['last page', () => `pageNumber=${PEOPLE / 40}`],
  ]
  const paths: Judged[] = []
  for (const [name, query] of rows) {
    const path = () => ({ path: `/CampaignDispatch/${campaignId}?${query()}` })
    const figure = await drive(driver, `GET /CampaignDispatch of ${PEOPLE}, ${name}`, token, path)
    paths.push({ ...figure, target: `p99 ≤ ${PAGE_MS} ms`, met: figure.p99 <= PAGE_MS })
  }
  return paths
}

/** A campaign of each company, without pauses; customers of all companies write meanwhile. */
async function sendAtOnce(driver: Driver, place: Place, size: Size): Promise<Single[]> {
  const companies = Array.from({ length: size.companies }, (_, at) => at + 1)
  const campaigns: [company: number, id: number][] = []
  for (const company of companies) {
    const setup = await makeSetup(driver, place, company)
    const id = await emptyCampaign(driver, company, setup)
    const sendList = Array.from({ length: EACH }, (_, at) => `5561${900_000_000 + company * 1_000 + at}`)
    await ask(driver, company, 'POST', `/Campaign/${id}/recipients`, { sendList })
    campaigns.push([company, id])
  }
  await place.query('update campaign_setups set t_min = 0, t_max = 0, interval_seconds = 0')
  const alone = await live(driver, size)
  const began = performance.now()
  for (const [company, id] of campaigns)
    await ask(driver, company, 'POST', `/CampaignProcess/${id}/start`, {})
  const beside = await live(driver, size)
  const all = companies.length * EACH
  const seconds = await over(place, all, began)
  const perSecond = Math.round(all / seconds)
  const [sent] = await place.query<{ count: number }>(
    `select count(*)::int as count from campaign_dispatches where status = 'sent'`,
  )
  return [
    {
      name: `${companies.length} campaigns of ${companies.length} companies at once, ${all} people with two messages each`,
      value: `${perSecond} people/s, ${sent!.count} sent, in ${seconds.toFixed(1)} s`,
      target: `≥ ${LEAST_PER_SECOND}/s`,
      met: perSecond >= LEAST_PER_SECOND && sent!.count === all,
    },
    {
      name: `p95 of a customer’s word taken in, ${LIVE_PER_SECOND}/s, meanwhile`,
      value: `${beside} ms, alone ${alone} ms`,
      target: '≤ 1.2 × of alone',
      met: beside <= alone * 1.2,
    },
  ]
}

/** Duration of the call of a customer's message. */
async function live(driver: Driver, size: Size): Promise<number> {
  const phones = phonesOf({ ...size, contacts: size.contacts }).slice(1)
  const took: number[] = []
  await evenly(LIVE_PER_SECOND, LIVE_SECONDS, async n => {
    const start = performance.now()
    await write(driver, phones[n % phones.length]!, `Bom dia, pedido ${n % SMALL.contacts}`)
    took.push(performance.now() - start)
  })
  const sorted = took.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? 0)
}

const PATIENCE_MS = 600_000

/** Seconds until the queue is empty. */
async function over(place: Place, all: number, began: number): Promise<number> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause(250)) {
    const [row] = await place.query<{ left: number }>(
      `select coalesce(sum(total - sent - failed), 0)::int as left from campaigns where initialized is not null`,
    )
    if (row!.left === 0) return (performance.now() - began) / 1000
  }
  throw new Error(`${all} people were not written to in time`)
}
