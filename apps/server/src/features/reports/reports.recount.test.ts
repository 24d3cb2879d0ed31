import { businessHours } from '@balcao/contract/businessHours.ts'
import { reports } from '@balcao/contract/reports.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectBehind, expectToSay, hoursByHand } from '../../../testing/recount.expect.ts'
import {
  around,
  HOLIDAYS,
  insertPasts,
  pastOf,
  storyArb,
  type TicketWorld,
  WEEK,
} from '../../../testing/recount.past.ts'
import { hoursFromRows, type Past, servicesOf } from '../../../testing/recount.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { Refusal } from '../../platform/errors.ts'
import { asc, inArray, isNotNull, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import { resolve, undo } from '../tickets/moves/closing.actions.ts'
import { accept, reopen, returnToQueue, transfer } from '../tickets/moves/moves.actions.ts'
import { ticketHistory, tickets } from '../tickets/tickets.table.ts'
import { addedUpOtherwise } from './reports.days.queries.ts'
import { keepAllDays } from './reports.jobs.ts'
import { reportDaysKept } from './reports.table.ts'

vi.setConfig({ testTimeout: 300_000 })

let app: TestApp
let helena: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  helena = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  await app.database.script(`update companies set time_zone = 'America/New_York'
    where id = ${helena.user.companyId}; update companies set time_zone = 'Asia/Kathmandu'
    where id = ${stranger.user.companyId};
    update users set profile = 'admin' where company_id = ${helena.user.companyId}`)
  const holidays = HOLIDAYS.map(day => ({ day, name: 'Feriado' }))
  await helena.get(businessHours.change, { body: { hours: WEEK, holidays } })
})
afterAll(() => app.close())

/** What attendants do with a ticket, each as it is called; what is refused does not happen. */
const VERBS = {
  accept: (scope, id, { queueId }) => accept(scope, id, queueId),
  returned: (scope, id) => returnToQueue(scope, id),
  queue: (scope, id, { queueId }) => transfer(scope, id, { queueId, userId: null }),
  user: (scope, id, { queueId, userId }) => transfer(scope, id, { queueId, userId }),
  connection: (scope, id, { whatsappId }) => transfer(scope, id, { whatsappId }),
  resolve: (scope, id) => resolve(scope, id),
  reopen: (scope, id) => reopen(scope, id),
  undo: (scope, id) => undo(scope, id),
} satisfies Record<
  string,
  (scope: Scope, id: number, to: { queueId: number; userId: number; whatsappId: number }) => Promise<unknown>
>
const verbs = Object.keys(VERBS) as (keyof typeof VERBS)[]
const lifeArb = fc
  .array(
    fc.record({
      verb: fc.constantFrom(...verbs, 'accept', 'accept', 'accept', 'returned', 'returned', 'user'),
      ...{ who: fc.nat(2), where: fc.nat(9) },
    }),
    { minLength: 2, maxLength: 8 },
  )
  .map(life => [...life, { verb: 'resolve', who: 0, where: 0 } as const])
const LIVED = [
  { initialDate: '2025-12-01', finalDate: '2026-11-20' },
  { initialDate: '2026-03-08', finalDate: '2026-03-08' },
  { initialDate: '2026-03-01T23:30', finalDate: '2026-06-11T00:30:00' },
]

test('of 500 lives that attendants gave to tickets every report says what their histories say, within seconds and over midnight', async () => {
  const zone = 'America/New_York'
  const team = [helena, await app.as('caio@balcao.test'), await app.as('atendente@balcao.test')]
  const place = await around(
    helena,
    team.map(({ user }) => user.id),
  )
  const stories = fc.sample(storyArb, { numRuns: 500, seed: 20_260_601 })
  const born = stories.map(one => pastOf({ ...one, start: one.start + 700 * 24 * 60, wants: [] }, place))
  const ids = await insertPasts(app, helena.user.companyId, born)
  await live(ids, team, place)
  await restate(ids)
  const pasts = await pastsOf(ids, born)
  const hours = hoursFromRows(zone, WEEK, HOLIDAYS, ['2025-11-01T00:00:00Z', '2027-01-01T00:00:00Z'])
  const services = pasts.flatMap(past => servicesOf(past, hours))
  expect(services.length).toBeGreaterThan(100)
  expect(services.filter(({ again }) => again > 0).length).toBeGreaterThan(20)
  const expectAll = async () => {
    for (const query of LIVED) {
      const some = { selectedUserIds: [team[1]!.user.id], selectedQueueIds: place.queues.slice(0, 1) }
      expectToSay((await helena.get(reports.attendances, { query })).reportData, services, zone)
      const { reportData } = await helena.get(reports.attendances, { query: { ...query, ...some } })
      const chosen = { userIds: some.selectedUserIds, queueIds: some.selectedQueueIds }
      expectToSay(reportData, services, zone, chosen)
    }
  }
  await expectAll()
  await expectBehind(app, helena, services, ['2026-02-01', '2026-02-20'], place.queues[0]!)
  await keepAllDays(app.platform.scopes, 1)
  await expectAll()
  // another version added them up
  await app.database.script(
    'update report_days_kept set revision = 2; update report_days set closed = closed + 1',
  )
  await keepAllDays(app.platform.scopes, 1, addedUpOtherwise)
  expect(await app.platform.scopes.platform().transaction(addedUpOtherwise)).toEqual([])
  await expectAll()
})

/** Six tickets at a time, each with one move behind the other. */
async function live(ids: number[], team: Person[], { queues, users, whatsappIds }: TicketWorld) {
  const { companyId } = helena.user
  const scopes: Scope[] = []
  for (const { token } of team)
    scopes.push(app.platform.scopes.inCompany(companyId, (await app.platform.access.enter(token)).viewer))
  const lives = fc.sample(lifeArb, { numRuns: ids.length, seed: 20_260_602 })
  const rest = [...ids.entries()]
  const lane = async () => {
    for (let next = rest.shift(); next; next = rest.shift())
      for (const { verb, who, where } of lives[next[0]]!) {
        const to = {
          queueId: queues[where % queues.length]!,
          userId: users[(who + where) % users.length]!,
          whatsappId: whatsappIds[where % whatsappIds.length]!,
        }
        await VERBS[verb](scopes[who]!, next[1], to).catch(error => {
          if (!(error instanceof Refusal)) throw error
        })
      }
  }
  await Promise.all(Array.from({ length: 6 }, lane))
}

/** The moves happen anew at times of their own, in one millisecond or days apart, and what they closed is written anew. */
const restate = (ids: number[]) =>
  app.platform.scopes.inCompany(helena.user.companyId).transaction(async tx => {
    const these = tag`any(${`{${ids}}`}::int[])`
    await rowsFrom(
      tx.sql,
      tag`with moved as (
          select h.id, h.ticket_id, case when h.what = 'opened' then 0
            else (array[0, 1, 300, 999, 1000, 61000, 4000000, 90000000])[1 + (h.id * 7 % 8)] end as gap
          from ticket_history h where h.company_id = ${tx.companyId} and h.ticket_id = ${these}
        ), passed as (select id, ticket_id, sum(gap) over (partition by ticket_id order by id) as ms from moved)
        update ticket_history h set at = t.created_at + interval '1 millisecond' * p.ms::float8
        from passed p join tickets t on t.company_id = ${tx.companyId} and t.id = p.ticket_id
        where h.company_id = ${tx.companyId} and h.id = p.id`,
    )
    await rowsFrom(
      tx.sql,
      tag`delete from ticket_services where company_id = ${tx.companyId} and ticket_id = ${these}`,
    )
    await rowsFrom(
      tx.sql,
      tag`select write_ticket_service(m.h) from (select h, lead(h.what) over (partition by h.ticket_id order by h.id) as next
          from ticket_history h where h.company_id = ${tx.companyId} and h.ticket_id = ${these}) m
        where (m.h).what <> 'undone' and (m.h).to_status = 'closed' and (m.h).from_status <> 'closed'
          and m.next is distinct from 'undone'`,
    )
  })

/** The histories as they were written, and where each ticket is by now. */
async function pastsOf(ids: number[], born: Past[]): Promise<Past[]> {
  const [lines, now] = await app.platform.scopes
    .inCompany(helena.user.companyId)
    .read(async tx => [
      await tx.sql
        .select()
        .from(ticketHistory)
        .where(inArray(ticketHistory.ticketId, ids))
        .orderBy(asc(ticketHistory.id)),
      await tx.sql
        .select({ id: tickets.id, whatsappId: tickets.whatsappId })
        .from(tickets)
        .where(inArray(tickets.id, ids)),
    ])
  const byTicket = Map.groupBy(lines, line => line.ticketId)
  const whatsappOf = new Map(now.map(({ id, whatsappId }) => [id, whatsappId!]))
  return born.map((past, place) => ({
    ...past,
    lines: byTicket.get(ids[place]!)!,
    whatsappId: whatsappOf.get(ids[place]!)!,
  }))
}

const RANGES: [string, string][] = [
  ['2024-01-01', '2024-12-31'],
  ['2024-03-10', '2024-03-10'],
  ['2024-03-01T00:00', '2024-03-31T23:59:59'],
  ['2024-11-03T01:30', '2024-11-04'],
  ['2024-06-01T12:00:00Z', '2024-08-15T07:13:11.123Z'],
]

test('every figure is what somebody finds who goes through all histories by hand, day by day of the clock, in each company, also when days are kept [OP-116 … OP-117, DASH-001 … DASH-010, REPORT-001 … REPORT-009]', async () => {
  const zones = { ours: 'America/New_York', theirs: 'Asia/Kathmandu' }
  const hours = hoursFromRows(zones.ours, WEEK, HOLIDAYS, ['2024-01-01T00:00:00Z', '2025-02-01T00:00:00Z'])
  const told: Record<'ours' | 'theirs', Past[]> = { ours: [], theirs: [] }
  const caio = await app.as('caio@balcao.test')
  const ours = await around(helena, [helena.user.id, caio.user.id])
  const theirs = await around(stranger, [stranger.user.id])
  for (const story of fc.sample(storyArb, { numRuns: 1_000, seed: 20_240_310 })) {
    if (story.isOurs) told.ours.push(pastOf(story, ours))
    else told.theirs.push(pastOf(story, theirs))
  }
  await insertPasts(app, helena.user.companyId, told.ours)
  await insertPasts(app, stranger.user.companyId, told.theirs)
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
      expect(await hoursFrom(helena, query)).toEqual(hoursByHand(mine, zones.ours, {}, range))
      expect(await hoursFrom(helena, some)).toEqual(
        hoursByHand(mine, zones.ours, { userIds, queueIds }, range),
      )
      const { reportData: other } = await stranger.get(reports.dash, { query })
      expect(await hoursFrom(stranger, query)).toEqual(hoursByHand(others, zones.theirs, {}, other.range))
    }
  }
  await expectAll()
  await expectBehind(app, helena, mine, ['2024-03-01', '2024-03-14'], ours.queues[0]!)
  await expectBehind(app, stranger, others, ['2024-05-01', '2024-05-07'], theirs.queues[0]!)
  await keepAllDays(app.platform.scopes, 1)
  expect(await keptDays()).toBeGreaterThan(100)
  await expectAll()
})

const keptDays = async () => {
  const rows = await app.platform.scopes
    .platform()
    .transaction(sql => sql.select().from(reportDaysKept).where(isNotNull(reportDaysKept.zone)))
  return rows.length
}
