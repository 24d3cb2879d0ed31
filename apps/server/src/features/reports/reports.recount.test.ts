import { randomUUID } from 'node:crypto'
import { type Figures, percentsOf } from '@balcao/contract/reports.rules.ts'
import { type ReportData, reports } from '@balcao/contract/reports.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openWorld, type Person, type World } from '../../../testing/world.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { ticketHistory, tickets } from '../tickets/tickets.table.ts'

vi.setConfig({ testTimeout: 120_000 })

let world: World
let helena: Person
let stranger: Person
beforeAll(async () => {
  world = await openWorld()
  helena = await world.as('admin@balcao.test')
  stranger = await world.as('admin@outra.test')
  await world.database.script(`update companies set time_zone = 'America/New_York'
    where id = ${helena.user.companyId}; update companies set time_zone = 'Asia/Kathmandu'
    where id = ${stranger.user.companyId}`)
})
afterAll(() => world.close())

type Line = Pick<
  typeof ticketHistory.$inferInsert,
  'what' | 'fromStatus' | 'fromUserId' | 'fromQueueId' | 'toStatus' | 'toUserId' | 'toQueueId'
> & { at: string }
type Place = { status: 'pending' | 'open' | 'closed'; userId: number | null; queueId: number | null }
interface Past {
  whatsappId: number
  createdAt: string
  lines: Line[]
}
interface Service {
  at: number
  userId: number
  queueId: number
  whatsappId: number
  wait: number | null
  serve: number | null
}

const KINDS = ['accepted', 'returned', 'transferred', 'resolved', 'reopened', 'moved', 'undone'] as const
const storyArb = fc.record({
  start: fc.integer({ min: 0, max: 300 * 24 * 60 }),
  isOurs: fc.boolean(),
  wants: fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS, 'accepted', 'resolved'),
      seconds: fc.integer({ min: 0, max: 40_000 }),
      who: fc.nat(2),
      where: fc.nat(2),
    }),
    { maxLength: 9 },
  ),
})
type Story = typeof storyArb extends fc.Arbitrary<infer One> ? One : never

/** What may happen to a ticket that stands so; null where it cannot. */
function next(
  kind: (typeof KINDS)[number],
  at: Place,
  to: Omit<Place, 'status'>,
  somebody: number,
): Place | null {
  if (kind === 'resolved') return at.status === 'closed' ? null : { ...at, status: 'closed' }
  if (kind === 'returned')
    return at.status === 'closed' ? null : { status: 'pending', userId: null, queueId: null }
  if (kind === 'transferred') return { ...to, status: to.userId === null ? 'pending' : 'open' }
  if (kind === 'moved') return { ...at, queueId: to.queueId }
  return at.status === 'open' ? null : { status: 'open', userId: to.userId ?? somebody, queueId: at.queueId }
}

function pastOf({ start, wants }: Story, users: number[], queues: number[], whatsappId: number): Past {
  let clock = Date.parse('2024-01-05T03:30:00.000Z') + start * 60_000
  const createdAt = new Date(clock).toISOString()
  const begins: Place = start % 4 === 0 ? { status: 'open', userId: users[0]!, queueId: null } : NEW
  const lines: Line[] = [line('opened', null, begins, createdAt)]
  let [at, before]: [Place, Place | null] = [begins, null]
  for (const { kind, seconds, who, where } of wants) {
    const to = { userId: users[who] ?? null, queueId: queues[where] ?? null }
    const then = kind === 'undone' ? before : next(kind, at, to, users[0]!)
    if (!then) continue
    clock += seconds * 1_000 + 250
    lines.push(line(kind, at, then, new Date(clock).toISOString()))
    before = kind === 'undone' || kind === 'moved' ? null : at
    at = then
  }
  return { whatsappId, createdAt, lines }
}

const NEW: Place = { status: 'pending', userId: null, queueId: null }
const line = (what: Line['what'], from: Place | null, to: Place, at: string): Line => ({
  what,
  fromStatus: from?.status ?? null,
  fromUserId: from?.userId ?? null,
  fromQueueId: from?.queueId ?? null,
  toStatus: to.status,
  toUserId: to.userId,
  toQueueId: to.queueId,
  at,
})

/** By hand, line by line: whatever is undone is as if it had not been. */
function servicesOf({ lines, createdAt, whatsappId }: Past): Service[] {
  type State = { begun: number; accepted: number | null; waited: boolean; services: Service[] }
  let now: State = { begun: Date.parse(createdAt), accepted: null, waited: true, services: [] }
  let last = now
  for (const { what, fromStatus, toStatus, toUserId, toQueueId, at: said } of lines) {
    const at = Date.parse(said)
    if (what === 'undone') {
      now = last
      continue
    }
    last = now
    now = { ...now }
    if (fromStatus === 'closed' && toStatus !== 'closed')
      now = { ...now, begun: at, accepted: null, waited: true }
    if (toStatus === 'open' && fromStatus !== 'open' && now.accepted === null)
      now = { ...now, accepted: at, waited: fromStatus === 'pending' }
    if (toStatus === 'closed' && fromStatus !== 'closed') {
      const { accepted, begun, waited } = now
      const service = {
        at,
        userId: toUserId ?? 0,
        queueId: toQueueId ?? 0,
        whatsappId,
        wait: accepted !== null && waited ? Math.floor((accepted - begun) / 1_000) : null,
        serve: accepted === null ? null : Math.floor((at - accepted) / 1_000),
      }
      now = { ...now, services: [...now.services, service] }
    }
  }
  return now.services
}

async function write(companyId: number, past: Past[]) {
  await world.platform.scopes.platform().transaction(async sql => {
    const number = `5500${companyId}${Math.floor(performance.now() * 1_000)}`
    const [contact] = await sql.insert(contacts).values({ companyId, name: 'Passado', number }).returning()
    for (const { whatsappId, createdAt, lines } of past) {
      const { toStatus, toUserId, toQueueId } = lines.at(-1)!
      const [ticket] = await sql
        .insert(tickets)
        .values({
          companyId,
          uuid: randomUUID(),
          protocol: randomUUID(),
          contactId: contact!.id,
          status: toStatus,
          userId: toUserId,
          queueId: toQueueId,
          whatsappId,
          parallel: true,
          createdAt,
          closedAt: toStatus === 'closed' ? lines.at(-1)!.at : null,
        })
        .returning()
      await sql.insert(ticketHistory).values(lines.map(one => ({ ...one, companyId, ticketId: ticket!.id })))
    }
  })
}

function figuresOf(services: Service[]): Figures {
  const of = (pick: (one: Service) => number | null) => services.map(pick).filter(seconds => seconds !== null)
  const total = (list: number[]) => list.reduce((sum, seconds) => sum + seconds, 0)
  const [serves, waits] = [of(({ serve }) => serve), of(({ wait }) => wait)]
  return {
    closed: services.length,
    served: serves.length,
    serveSeconds: total(serves),
    waited: waits.length,
    waitSeconds: total(waits),
  }
}

/** From service to service: what is said of a period against the one before it, in whole percents. */
function changesByHand(before: Service[], now: Service[]) {
  const grown = (sum: (services: Service[]) => number | null) => {
    const [was, is] = [sum(before), sum(now)]
    return was === null || was === 0 || is === null ? null : Math.round((is * 100) / was) - 100
  }
  const lasting = (pick: (one: Service) => number | null) => {
    const listed = (services: Service[]) => services.flatMap(one => pick(one) ?? [])
    const total = (services: Service[]) => listed(services).reduce((sum, seconds) => sum + seconds, 0)
    const mean = (services: Service[]) =>
      listed(services).length === 0 ? null : Math.round(total(services) / listed(services).length)
    return { total: grown(total), mean: grown(mean) }
  }
  const [serve, wait] = [lasting(one => one.serve), lasting(one => one.wait)]
  return {
    closed: grown(services => services.length),
    tma: serve.mean,
    tme: wait.mean,
    serveSeconds: serve.total,
    waitSeconds: wait.total,
  }
}

const dayIn = (zone: string, at: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at)
const partsOf = (services: Service[], by: 'userId' | 'queueId' | 'whatsappId') =>
  Object.fromEntries(
    [...new Set(services.map(one => one[by]))].map(id => [
      id,
      figuresOf(services.filter(one => one[by] === id)),
    ]),
  )
const closedIn = (rows: { id: number; figures: Figures }[]) =>
  Object.fromEntries(rows.filter(({ figures }) => figures.closed > 0).map(one => [one.id, one.figures]))

function expectToSay(
  data: ReportData,
  all: Service[],
  zone: string,
  chosen: (one: Service) => boolean = () => true,
) {
  const [from, until] = [Date.parse(data.range.from), Date.parse(data.range.until)]
  const services = all.filter(one => one.at >= from && one.at <= until && chosen(one))
  const before = all.filter(one => one.at >= 2 * from - until && one.at < from && chosen(one))
  expect(data.figures).toEqual(figuresOf(services))
  expect(data.before).toEqual(figuresOf(before))
  expect(data.changes).toEqual(changesByHand(before, services))
  expect(data.countClosed).toBe(services.length)
  expect(closedIn(data.dataUsers)).toEqual(partsOf(services, 'userId'))
  expect(closedIn(data.dataQueuesWitchPercent)).toEqual(partsOf(services, 'queueId'))
  expect(closedIn(data.dataConnections)).toEqual(partsOf(services, 'whatsappId'))
  for (const { day, ...figures } of data.days)
    expect({ day, ...figures }).toEqual({
      day,
      ...figuresOf(services.filter(one => dayIn(zone, one.at) === day)),
    })
  expect(data.days.reduce((sum, { closed }) => sum + closed, 0)).toBe(services.length)
  const shares = data.dataUsers.map(row => row.porcentagemAtendimentos)
  expect(shares).toEqual(percentsOf(data.dataUsers.map(row => row.qtdAtendimentos)))
}

const RANGES: [string, string][] = [
  ['2024-01-01', '2024-12-31'],
  ['2024-03-10', '2024-03-10'],
  ['2024-03-01T00:00', '2024-03-31T23:59:59'],
  ['2024-11-03T01:30', '2024-11-04'],
  ['2024-06-01T12:00:00Z', '2024-08-15T07:13:11.123Z'],
]

test('every figure is what somebody finds who goes through all histories by hand, day by day of the clock, in each company', async () => {
  const zone = 'America/New_York'
  const told: Record<'ours' | 'theirs', Past[]> = { ours: [], theirs: [] }
  const [queues, other] = [helena.user.queues.map(({ id }) => id), stranger.user.queues.map(({ id }) => id)]
  const caio = await world.as('caio@balcao.test')
  for (const story of fc.sample(storyArb, { numRuns: 500, seed: 20_240_310 })) {
    if (story.isOurs)
      told.ours.push(pastOf(story, [helena.user.id, caio.user.id], queues, helena.user.whatsappId!))
    else told.theirs.push(pastOf(story, [stranger.user.id], other, stranger.user.whatsappId!))
  }
  await write(helena.user.companyId, told.ours)
  await write(stranger.user.companyId, told.theirs)
  const [mine, theirs] = [told.ours.flatMap(servicesOf), told.theirs.flatMap(servicesOf)]
  expect(mine.length).toBeGreaterThan(100)
  for (const [initialDate, finalDate] of RANGES) {
    const query = { initialDate, finalDate }
    expectToSay((await helena.get(reports.dash, { query })).reportData, mine, zone)
    expectToSay((await stranger.get(reports.attendances, { query })).reportData, theirs, 'Asia/Kathmandu')
    const some = { ...query, selectedUserIds: [caio.user.id], selectedQueueIds: queues.slice(0, 2) }
    const { reportData } = await helena.get(reports.attendances, { query: some })
    expectToSay(
      reportData,
      mine,
      zone,
      one => one.userId === caio.user.id && queues.slice(0, 2).includes(one.queueId),
    )
  }
})
