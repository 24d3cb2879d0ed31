import { randomUUID } from 'node:crypto'
import { businessHours } from '@balcao/contract/businessHours.ts'
import { durationOf, type Figures, percentsOf } from '@balcao/contract/reports.rules.ts'
import { type ReportData, reports } from '@balcao/contract/reports.ts'
import { tags } from '@balcao/contract/tags.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  changesFromRows,
  figuresFromRows,
  hoursFromRows,
  type Past,
  type PastLine,
  type Service,
  servicesOf,
} from '../../../testing/recount.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { externalIdOf } from '../../platform/external.ts'
import { isNotNull } from '../../platform/postgres/sql.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { messages } from '../messages/messages.table.ts'
import { ticketHistory, tickets, ticketTags } from '../tickets/tickets.table.ts'
import { keepAllDays } from './reports.jobs.ts'
import { botSpells, reportDaysKept } from './reports.table.ts'

vi.setConfig({ testTimeout: 120_000 })

let app: TestApp
let helena: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  helena = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  await app.database.script(`update companies set time_zone = 'America/New_York'
    where id = ${helena.user.companyId}; update companies set time_zone = 'Asia/Kathmandu'
    where id = ${stranger.user.companyId}`)
})
afterAll(() => app.close())

type Place = { status: 'pending' | 'open' | 'closed'; userId: number | null; queueId: number | null }

const KINDS = ['accepted', 'returned', 'transferred', 'resolved', 'reopened', 'moved', 'undone'] as const
const storyArb = fc.record({
  start: fc.integer({ min: 0, max: 300 * 24 * 60 }),
  isOurs: fc.boolean(),
  wants: fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS, 'accepted', 'accepted', 'returned', 'transferred', 'resolved'),
      seconds: fc.integer({ min: 0, max: 40_000 }),
      who: fc.nat(2),
      where: fc.nat(2),
    }),
    { maxLength: 9 },
  ),
  says: fc.array(
    fc.record({
      seconds: fc.integer({ min: 0, max: 90_000 }),
      source: fc.constantFrom(
        'contact' as const,
        'person' as const,
        'phone' as const,
        'bot' as const,
        'flow' as const,
      ),
    }),
    { maxLength: 6 },
  ),
  leads: fc.array(
    fc.record({ seconds: fc.integer({ min: 0, max: 50_000 }), lasting: fc.integer({ min: 1, max: 9_000 }) }),
    { maxLength: 2 },
  ),
  tags: fc.subarray([0, 1, 2]),
})
type Story = typeof storyArb extends fc.Arbitrary<infer One> ? One : never

/** Possible events of a ticket in this state; null where it is impossible. */
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

function pastOf(
  { start, wants, says, leads, tags }: Story,
  { users, queues, tagIds, whatsappId }: Around,
): Past {
  let clock = Date.parse('2024-01-05T03:30:00.000Z') + start * 60_000
  const began = clock
  const after = (seconds: number, beside: number) => new Date(began + seconds * 1_000 + beside).toISOString()
  const createdAt = after(0, 0)
  const begins: Place = start % 4 === 0 ? { status: 'open', userId: users[0]!, queueId: null } : NEW
  const lines: PastLine[] = [line('opened', null, begins, createdAt)]
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
  return {
    ...{ whatsappId, createdAt, lines, tagIds: tags.map(place => tagIds[place]!) },
    said: says
      .map(({ seconds, source }) => ({ at: after(seconds, 500), source }))
      .sort((one, other) => one.at.localeCompare(other.at)),
    spells: leads.map(({ seconds, lasting }) => ({
      beganAt: after(seconds, 0),
      endedAt: after(seconds + lasting, 700),
    })),
  }
}

interface Around {
  users: number[]
  queues: number[]
  tagIds: number[]
  whatsappId: number
}

const NEW: Place = { status: 'pending', userId: null, queueId: null }
const line = (what: PastLine['what'], from: Place | null, to: Place, at: string): PastLine => ({
  what,
  fromStatus: from?.status ?? null,
  fromUserId: from?.userId ?? null,
  fromQueueId: from?.queueId ?? null,
  toStatus: to.status,
  toUserId: to.userId,
  toQueueId: to.queueId,
  at,
})

async function write(companyId: number, past: Past[]) {
  await app.platform.scopes.platform().transaction(async sql => {
    const number = `5500${companyId}${Math.floor(performance.now() * 1_000)}`
    const [contact] = await sql.insert(contacts).values({ companyId, name: 'Passado', number }).returning()
    for (const { whatsappId, createdAt, lines, said, spells, tagIds } of past) {
      const { toStatus, toUserId, toQueueId } = lines.at(-1)!
      const [ticket] = await sql
        .insert(tickets)
        .values({
          ...{ companyId, uuid: randomUUID(), protocol: randomUUID(), contactId: contact!.id, whatsappId },
          ...{ status: toStatus, userId: toUserId, queueId: toQueueId, parallel: true, createdAt },
          closedAt: toStatus === 'closed' ? lines.at(-1)!.at : null,
        })
        .returning()
      const own = { companyId, ticketId: ticket!.id }
      if (tagIds.length > 0) await sql.insert(ticketTags).values(tagIds.map(tagId => ({ ...own, tagId })))
      if (spells.length > 0) await sql.insert(botSpells).values(spells.map(one => ({ ...own, ...one })))
      if (said.length > 0)
        await sql.insert(messages).values(
          said.map(({ at, source }) => ({
            ...{
              ...own,
              id: randomUUID(),
              contactId: contact!.id,
              whatsappId,
              externalId: externalIdOf(randomUUID()),
            },
            ...{ fromMe: source !== 'contact', source, body: 'Oi', createdAt: at },
          })),
        )
      await sql.insert(ticketHistory).values(lines.map(one => ({ ...own, ...one })))
    }
  })
}

const byDayIn = (zone: string, services: Service[]) => {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  return Map.groupBy(services, one => day.format(one.at))
}
const partsOf = (services: Service[], by: 'userId' | 'queueId' | 'whatsappId') =>
  Object.fromEntries(
    [...new Set(services.map(one => one[by]))].map(id => [
      id,
      figuresFromRows(services.filter(one => one[by] === id)),
    ]),
  )
const closedIn = (rows: { id: number; figures: Figures }[]) =>
  Object.fromEntries(rows.filter(({ figures }) => figures.closed > 0).map(one => [one.id, one.figures]))

interface Chosen {
  userIds?: number[]
  queueIds?: number[]
}

type Own = [served: number, seconds: number, tma: string, waited: number, seconds: number, tme: string]
const ownIn = ({ dataUsers }: ReportData): Record<number, Own> =>
  Object.fromEntries(
    dataUsers.flatMap(({ id, own, tma, tme }) =>
      own.served > 0 ? [[id, [own.served, own.serveSeconds, tma, own.waited, own.waitSeconds, tme]]] : [],
    ),
  )

/** Each attendant's part of what he closed and of what he gave away, and the waits that he ended. */
function ownByHand(services: Service[], userIds?: number[]): Record<number, Own> {
  const ids = [...new Set(services.flatMap(({ parts }) => [...parts.keys()]))].filter(
    id => id > 0 && (!userIds || userIds.includes(id)),
  )
  const summed = (all: number[]): [number, number, string] => {
    const sum = all.reduce((some, one) => some + one, 0)
    return [all.length, sum, durationOf(all.length === 0 ? null : Math.round(sum / all.length))]
  }
  const of = (id: number, pick: (one: Service) => Map<number, number>) =>
    summed(services.flatMap(one => pick(one).get(id) ?? []))
  return Object.fromEntries(ids.map(id => [id, [...of(id, one => one.parts), ...of(id, one => one.waits)]]))
}

/** What began at each hour of the week, as JavaScript knows the clock of a zone. */
function hoursOf(
  services: Service[],
  zone: string,
  { userIds, queueIds }: Chosen = {},
  { from, until }: ReportData['range'],
) {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const chosen = services.filter(
    one =>
      (!userIds || userIds.includes(one.userId)) &&
      (!queueIds || queueIds.includes(one.queueId)) &&
      one.at >= Date.parse(from) &&
      one.at <= Date.parse(until),
  )
  const placeOf = ({ began }: Service) => {
    const [day, time] = clock.format(began).split(' ') as [string, string]
    return (new Date(`${day}T00:00:00Z`).getUTCDay() || 7) * 24 + Number(time.slice(0, 2))
  }
  return [...Map.groupBy(chosen, placeOf)]
    .sort(([one], [other]) => one - other)
    .map(([place, all]) => {
      const { closed, waited, waitSeconds } = figuresFromRows(all)
      return { weekday: Math.floor(place / 24), hour: place % 24, closed, waited, waitSeconds }
    })
}

function expectToSay(data: ReportData, all: Service[], zone: string, { userIds, queueIds }: Chosen = {}) {
  const isIn = (ids: number[] | undefined, id: number) => !ids || ids.includes(id)
  const chosen = (one: Service) => isIn(userIds, one.userId) && isIn(queueIds, one.queueId)
  const closed = all.filter(
    ({ at }) => at >= Date.parse(data.range.from) && at <= Date.parse(data.range.until),
  )
  const [from, until] = [Date.parse(data.range.from), Date.parse(data.range.until)]
  const services = closed.filter(chosen)
  const before = all.filter(one => one.at >= 2 * from - until && one.at < from && chosen(one))
  expect(data.figures).toEqual(figuresFromRows(services))
  expect(data.before).toEqual(figuresFromRows(before))
  expect(data.changes).toEqual(changesFromRows(before, services))
  expect(data.countClosed).toBe(services.length)
  expect(closedIn(data.dataUsers)).toEqual(partsOf(services, 'userId'))
  expect(closedIn(data.dataQueuesWitchPercent)).toEqual(partsOf(services, 'queueId'))
  expect(closedIn(data.dataConnections)).toEqual(partsOf(services, 'whatsappId'))
  const tagIds = [...new Set(services.flatMap(one => one.tagIds))]
  expect(closedIn(data.dataTags)).toEqual(
    Object.fromEntries(
      tagIds.map(id => [id, figuresFromRows(services.filter(one => one.tagIds.includes(id)))]),
    ),
  )
  const parts = closed.filter(one => isIn(queueIds, one.queueId))
  expect(ownIn(data)).toEqual(ownByHand(parts, userIds))
  const byDay = byDayIn(zone, services)
  for (const { day, ...figures } of data.days)
    expect({ day, ...figures }).toEqual({ day, ...figuresFromRows(byDay.get(day) ?? []) })
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

/** A week with a pause at noon, and a Sunday from midnight on, when clocks are changed. */
const WEEK = [
  ...[1, 2, 3, 4, 5].flatMap(weekday => [
    { weekday, opens: 8 * 60, closes: 12 * 60 },
    { weekday, opens: 13 * 60 + 30, closes: 18 * 60 },
  ]),
  { weekday: 0, opens: 0, closes: 6 * 60 },
  { weekday: 6, opens: 12 * 60, closes: 24 * 60 },
]
const HOLIDAYS = ['2024-03-29', '2024-07-04', '2024-07-05', '2024-09-02']

test('every figure is what somebody finds who goes through all histories by hand, day by day of the clock, in each company, also when days are kept [OP-116 … OP-117, DASH-001 … DASH-010, REPORT-001 … REPORT-009]', async () => {
  const zones = { ours: 'America/New_York', theirs: 'Asia/Kathmandu' }
  const said = { hours: WEEK, holidays: HOLIDAYS.map(day => ({ day, name: 'Feriado' })) }
  await helena.get(businessHours.change, { body: said })
  const hours = hoursFromRows(zones.ours, WEEK, HOLIDAYS, ['2024-01-01T00:00:00Z', '2025-02-01T00:00:00Z'])
  const told: Record<'ours' | 'theirs', Past[]> = { ours: [], theirs: [] }
  const caio = await app.as('caio@balcao.test')
  const ours = await around(helena, [helena.user.id, caio.user.id])
  const theirs = await around(stranger, [stranger.user.id])
  for (const story of fc.sample(storyArb, { numRuns: 1_000, seed: 20_240_310 })) {
    if (story.isOurs) told.ours.push(pastOf(story, ours))
    else told.theirs.push(pastOf(story, theirs))
  }
  await write(helena.user.companyId, told.ours)
  await write(stranger.user.companyId, told.theirs)
  const [mine, others] = [
    told.ours.flatMap(past => servicesOf(past, hours)),
    told.theirs.flatMap(past => servicesOf(past, null)),
  ]
  expect(mine.length).toBeGreaterThan(100)
  for (const part of ['answer', 'bot', 'wait'] as const)
    expect(mine.filter(one => one[part] !== null).length).toBeGreaterThan(20)
  expect(mine.filter(({ parts }) => parts.size > 1).length).toBeGreaterThan(9)
  expect(mine.filter(({ again }) => again > 0).length).toBeGreaterThan(9)
  const expectAll = async () => {
    for (const [initialDate, finalDate] of RANGES) {
      const query = { initialDate, finalDate }
      expectToSay((await helena.get(reports.dash, { query })).reportData, mine, zones.ours)
      expectToSay((await stranger.get(reports.attendances, { query })).reportData, others, zones.theirs)
      const [userIds, queueIds] = [[caio.user.id], ours.queues.slice(0, 2)]
      const some = { ...query, selectedUserIds: userIds, selectedQueueIds: queueIds }
      const { reportData } = await helena.get(reports.attendances, { query: some })
      expectToSay(reportData, mine, zones.ours, { userIds, queueIds })
      const hoursFrom = async (who: Person, asked: object) =>
        (await who.get(reports.hours, { query: asked })).hours
      const { range } = reportData
      expect(await hoursFrom(helena, query)).toEqual(hoursOf(mine, zones.ours, {}, range))
      expect(await hoursFrom(helena, some)).toEqual(hoursOf(mine, zones.ours, { userIds, queueIds }, range))
      const { reportData: other } = await stranger.get(reports.dash, { query })
      expect(await hoursFrom(stranger, query)).toEqual(hoursOf(others, zones.theirs, {}, other.range))
    }
  }
  await expectAll()
  await keepAllDays(app.platform.scopes, 1)
  expect(await keptDays()).toBeGreaterThan(100)
  await expectAll()
})

const around = async ({ user, ...who }: Person, users: number[]): Promise<Around> => {
  const add = (name: string) => who.get(tags.create, { body: { name, color: '#1273de', kanban: 0 } })
  const made = [await add('Recontagem um'), await add('Recontagem dois'), await add('Recontagem três')]
  return {
    ...{ users, queues: user.queues.map(({ id }) => id), whatsappId: user.whatsappId! },
    tagIds: made.map(({ id }) => id),
  }
}

const keptDays = async () => {
  const rows = await app.platform.scopes
    .platform()
    .transaction(sql => sql.select().from(reportDaysKept).where(isNotNull(reportDaysKept.zone)))
  return rows.length
}
