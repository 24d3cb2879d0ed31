import type { Size } from './dataset.ts'
import { type Driver, type Lap, openCourse } from './load.ts'
import type { Judged } from './paths.ts'
import type { Place } from './place.ts'
import { pause } from './product.ts'
import type { Single } from './report.ts'
import { ask, post } from './screens.ts'

export const ASSIGNMENT = 'assignment'
export const CLOCKS = 'GET /tickets open of 5,000'

/** Not the companies of the other rows. What is added to them is removed again. */
const COMPANIES = { assigning: 7, plain: 8, clocks: 9 }
/** Ids of what is added, above all of the data set. */
export const BASE = 10_000_000
const ADMIN = 1

const WAITING = 2_000

/** From the call that makes a queue give its tickets to the last of those that wait in it. */
export async function driveAssignment(driver: Driver, place: Place, size: Size): Promise<Single[]> {
  const company = COMPANIES.assigning
  const queueId = queueOf(company, size)
  await addTickets(place, BASE, { company, queueId, many: WAITING, status: 'pending' })
  await place.query(`insert into user_presence (company_id, user_id, seen_until, screen_at)
    select company_id, id, now() + interval '1 hour', now() from users where company_id = ${company}`)
  const left = async () => {
    const [row] = await place.query<{ many: number }>(
      `select count(*)::int as many from tickets where company_id = ${company} and id > ${BASE} and status = 'pending'`,
    )
    return row!.many
  }
  const rules = { mode: 'rotation', capacity: null }
  const began = performance.now()
  await ask(driver, company, 'PUT', `/queue/${queueId}/assignment`, rules)
  while ((await left()) > 0 && performance.now() - began < 60_000) await pause(50)
  const perSecond = Math.round((WAITING * 1_000) / (performance.now() - began))
  await ask(driver, company, 'PUT', `/queue/${queueId}/assignment`, { mode: 'manual' })
  await removeTickets(place, company)
  await place.query(`delete from user_presence where company_id = ${company}`)
  return [
    {
      name: `${ASSIGNMENT}: tickets given a second, ${WAITING} that wait to the attendants of a queue`,
      value: `${perSecond}/s`,
      target: '≥ 200/s',
      met: perSecond >= 200,
    },
  ]
}

const OPEN = 5_000
const DUE_FIRST = ', the next due first'
const TURNS = 3

/** The list of a company whose tickets have clocks, beside that of one whose have none; and the views with their counts. */
export async function driveClocks(driver: Driver, place: Place, size: Size): Promise<Judged[]> {
  const { plain, clocks } = COMPANIES
  for (const [company, base] of [
    [plain, BASE],
    [clocks, 2 * BASE],
  ] as const)
    await addTickets(place, base, { company, queueId: queueOf(company, size), many: OPEN, status: 'open' })
  const minutes = { firstReplyMinutes: 15, replyMinutes: 30, resolutionMinutes: 600, withinHours: false }
  await ask(driver, clocks, 'PUT', `/queue/${queueOf(clocks, size)}/targets`, minutes)
  const set = `select count(*)::int as many from tickets where company_id = ${clocks} and id > ${2 * BASE} and target_due_at is null`
  for (let left = OPEN; left > 0; left = (await place.query<{ many: number }>(set))[0]!.many) await pause(200)
  await addViews(driver, clocks, size)
  await place.sweep('tickets')
  const rows = await driveBoth(driver)
  for (const { path, requestsPerSecond, p50, p99, statements, share } of rows)
    console.log(
      `  ${path}: ${requestsPerSecond}/s, p50 ${p50}, p99 ${p99} ms, ${statements} SQL, ${share ?? 1} ×`,
    )
  await place.query(`delete from saved_views where company_id = ${clocks}`)
  await place.query(`delete from queue_targets where company_id = ${clocks}`)
  for (const company of [plain, clocks]) await removeTickets(place, company)
  return rows
}

async function addViews(driver: Driver, company: number, size: Size) {
  const queueIds = [queueOf(company, size)]
  for (const [name, filters] of Object.entries({
    Atrasados: { target: 'late', status: 'open', showAll: true },
    'Quase atrasados': { target: 'soon', status: 'open', showAll: true },
    Setor: { queueIds, status: 'open', showAll: true },
    Meus: { status: 'open' },
  }))
    await post(driver, company, '/views', { name, filters })
}

/** All rows in turn, so that they meet the same machine. */
async function driveBoth(driver: Driver): Promise<Judged[]> {
  const list = '/tickets?status=open&showAll=true'
  const without = `${CLOCKS}, without clocks`
  const courses = [
    { name: without, company: COMPANIES.plain, path: list },
    { name: `${CLOCKS}, with clocks`, company: COMPANIES.clocks, path: list },
    {
      name: `${CLOCKS}, with clocks${DUE_FIRST}`,
      company: COMPANIES.clocks,
      path: `${list}&sort=target`,
    },
    { name: `${CLOCKS}: GET /views with their counts`, company: COMPANIES.clocks, path: '/views' },
  ]
  const open = []
  for (const { name, company, path } of courses) {
    const course = await openCourse(driver, name, await driver.as(company, ADMIN), () => ({ path }))
    open.push({ course, laps: [] as Lap[] })
  }
  for (let turn = 0; turn < TURNS; turn++)
    for (const { course, laps } of open) laps.push(await course.lap(driver.seconds / TURNS / 2))
  const [plain, ...others] = open.map(({ course, laps }) => course.figure(laps))
  return [
    { ...plain!, target: '', met: true },
    ...others.map(figure => {
      const share = Math.round((figure.requestsPerSecond / plain!.requestsPerSecond) * 100) / 100
      const isSorted = figure.path.endsWith(DUE_FIRST)
      return {
        ...{ ...figure, share, of: without },
        // whose next target is due first is found by sorting what is open
        target: isSorted ? 'p99 ≤ 100 ms' : 'takes ≤ 1.2 × without',
        met: isSorted ? figure.p99 <= 100 : share >= 0.83,
      }
    }),
  ]
}

interface Added {
  company: number
  queueId: number
  many: number
  status: 'open' | 'pending'
}

/** Tickets with a contact each, ids from `base` on; open ones are of the attendants of the queue in turn. */
export async function addTickets(place: Place, base: number, { company, queueId, many, status }: Added) {
  await place.query(`insert into contacts (id, company_id, name, number)
    select ${base} + n, ${company}, 'Cliente ' || n, '55118' || (${base} + n) from generate_series(1, ${many}) n`)
  await place.query(`insert into tickets (id, company_id, uuid, status, protocol, contact_id, user_id, queue_id, waiting_since, updated_at)
    select ${base} + n, ${company}, gen_random_uuid(), '${status}', 'b' || (${base} + n), ${base} + n,
      ${status === 'open' ? '(array(select user_id from user_queues where company_id = q.company_id and queue_id = q.id))[1 + n % 10]' : 'null'},
      q.id, now() - n * interval '1 second', now() - n * interval '1 second'
    from generate_series(1, ${many}) n, queues q where q.company_id = ${company} and q.id = ${queueId}`)
  for (const table of ['contacts', 'tickets']) await place.sweep(table)
}

export async function removeTickets(place: Place, company: number) {
  await place.query(`delete from tickets where company_id = ${company} and id > ${BASE}`)
  await place.query(`delete from contacts where company_id = ${company} and id > ${BASE}`)
}

export const queueOf = (company: number, { queues }: Size) => (company - 1) * queues + 1
