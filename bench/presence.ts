import { randomUUID } from 'node:crypto'
import { channelName } from '@balcao/contract/kit.ts'
import { FOLLOW_PRESENCE, PRESENT, presenceChannel, type TicketPresence } from '@balcao/contract/presence.ts'
import { io } from 'socket.io-client'
import { openAccess } from '../apps/server/src/platform/access/access.ts'
import { openSecrets } from '../apps/server/src/platform/access/secrets.ts'
import type { Size } from './dataset.ts'
import { type LeanScreen, openLean } from './lean.ts'
import { sharesOf } from './live.ts'
import type { Driver } from './load.ts'
import { type Place, SECRET } from './place.ts'
import type { Single } from './report.ts'
import { evenly, until } from './screens.ts'
import { addTickets, BASE, queueOf, removeTickets } from './team.ts'

export const PRESENCE = 'presence'

/** Not the company of the other rows. */
const COMPANY = 10
const ADMIN = 1
const PEOPLE = 500
/** In which they are, and how many of them a screen shows. */
const TICKETS = 100
const SHOWN = 20
const ROUND_SECONDS = 3
/** Of so many who look one begins to write. */
const WRITERS = 4
/** Screens that are opened at once. */
const AT_ONCE = 25

/** Everybody reports every three seconds; some begin to write, timed until the screen of an admin shows it. */
export async function drivePresence(driver: Driver, place: Place, size: Size): Promise<Single[]> {
  const queueId = queueOf(COMPANY, size)
  await addTickets(place, BASE, { company: COMPANY, queueId, many: TICKETS, status: 'pending' })
  const screens = await seats(driver, place, queueId)
  const { p50, p95, unseen, statements } = await timed(driver, screens)
  for (const screen of screens) screen.disconnect()
  await removeTickets(place, COMPANY)
  await place.query(`delete from users where company_id = ${COMPANY} and id > ${BASE}`)
  const name = `${PRESENCE} of ${PEOPLE} people in one company`
  return [
    {
      name: `${name}: p95 until a colleague sees it`,
      value: unseen > 0 ? `${unseen} unseen` : `${p95} ms (p50 ${p50} ms)`,
      target: '≤ 2000 ms',
      met: unseen === 0 && p95 <= 2_000,
    },
    {
      name: `${name}: statements a report`,
      value: statements.toFixed(2),
      target: '≤ 0.5',
      met: statements <= 0.5,
    },
  ]
}

/** People of the queue with a screen each. Their sessions are rows: five hundred logins would be measured otherwise. */
async function seats({ product }: Driver, place: Place, queueId: number): Promise<LeanScreen[]> {
  await place.query(`insert into users (id, company_id, name, email, password_hash, profile)
    select ${BASE} + n, ${COMPANY}, 'Pessoa ' || n, 'pessoa' || n || '@company${COMPANY}.test', '', 'user' from generate_series(1, ${PEOPLE}) n`)
  await place.query(`insert into user_queues (company_id, user_id, queue_id)
    select ${COMPANY}, ${BASE} + n, ${queueId} from generate_series(1, ${PEOPLE}) n`)
  const people = Array.from({ length: PEOPLE }, (_, at) => ({
    userId: BASE + 1 + at,
    sessionId: randomUUID(),
  }))
  await place.query(`insert into sessions (id, company_id, user_id, expires_at)
    select s."sessionId", ${COMPANY}, s."userId", now() + interval '1 hour'
    from json_to_recordset('${JSON.stringify(people)}') s("userId" int, "sessionId" uuid)`)
  const known = { jwtSecret: SECRET, jwtSecretOld: null, keepSessions: false, dataDir: '' }
  const { jwt } = await openSecrets(known, async () => true)
  const access = openAccess(jwt, async () => [])
  const screens: LeanScreen[] = []
  for (let from = 0; from < PEOPLE; from += AT_ONCE) {
    const some = people.slice(from, from + AT_ONCE)
    const tokens = some.map(one => access.sign({ companyId: COMPANY, ...one }))
    screens.push(...(await Promise.all(tokens.map(async token => openLean(product.url, await token)))))
  }
  return screens
}

const ticketOf = (n: number) => BASE + 1 + (n % TICKETS)

/** As many as a screen shows, from this one on. */
const shownFrom = (n: number) => Array.from({ length: SHOWN }, (_, at) => ticketOf(n + at))

async function timed(driver: Driver, screens: LeanScreen[]) {
  for (const [n, screen] of screens.entries()) screen.emit(FOLLOW_PRESENCE, shownFrom(n))
  const watcher = await watch(driver)
  const before = await driver.product.metric('database_statements_total')
  const start = performance.now()
  for (const doing of ['looking', 'writing'] as const)
    await evenly(PEOPLE / ROUND_SECONDS, ROUND_SECONDS, async n => {
      const ticketId = ticketOf(n)
      const writes = doing === 'writing' && Math.floor(n / TICKETS) % WRITERS === 0
      if (writes) watcher.begins(ticketId)
      screens[n]!.emit(PRESENT, { ticketId, doing: writes ? doing : 'looking' })
    })
  await until(() => watcher.left() === 0, 5)
  const idle = (driver.idleStatements * (performance.now() - start)) / 1_000
  const sent = (await driver.product.metric('database_statements_total')) - before - idle
  watcher.close()
  const at = sharesOf(watcher.took)
  return { p50: at(0.5), p95: at(0.95), unseen: watcher.left(), statements: sent / (2 * PEOPLE) }
}

/** The screen of the admin, which shows some of the tickets: how long it takes until one more who writes is seen. */
async function watch(driver: Driver) {
  const shown = shownFrom(0)
  const awaited = new Map(shown.map(ticketId => [ticketId, [] as number[]]))
  const seen = new Map<number, number>()
  const took: number[] = []
  const socket = io(driver.product.url, {
    auth: { token: await driver.as(COMPANY, ADMIN) },
    transports: ['websocket'],
    forceNew: true,
  })
  await new Promise<void>((done, fail) => socket.once('connect', done).once('connect_error', fail))
  socket.emit(FOLLOW_PRESENCE, shown)
  socket.on(channelName(presenceChannel, COMPANY), ({ ticketId, users }: TicketPresence) => {
    const writing = users.filter(({ doing }) => doing === 'writing').length
    const news = writing - (seen.get(ticketId) ?? 0)
    // those who wrote first are seen first
    for (const began of awaited.get(ticketId)?.splice(0, news) ?? []) took.push(performance.now() - began)
    seen.set(ticketId, Math.max(writing, seen.get(ticketId) ?? 0))
  })
  return {
    took,
    begins: (ticketId: number) => void awaited.get(ticketId)?.push(performance.now()),
    left: () => [...awaited.values()].reduce((sum, { length }) => sum + length, 0),
    close: () => socket.disconnect(),
  }
}
