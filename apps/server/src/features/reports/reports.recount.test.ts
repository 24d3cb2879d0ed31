import { businessHours } from '@balcao/contract/businessHours.ts'
import { reports } from '@balcao/contract/reports.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectBehind, expectToSay, hoursByHand } from '../../../testing/recount.expect.ts'
import { around, HOLIDAYS, insertPasts, pastOf, storyArb, WEEK } from '../../../testing/recount.past.ts'
import { hoursFromRows, type Past, servicesOf } from '../../../testing/recount.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { isNotNull } from '../../platform/postgres/sql.ts'
import { keepAllDays } from './reports.jobs.ts'
import { reportDaysKept } from './reports.table.ts'

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

const RANGES: [string, string][] = [
  ['2024-01-01', '2024-12-31'],
  ['2024-03-10', '2024-03-10'],
  ['2024-03-01T00:00', '2024-03-31T23:59:59'],
  ['2024-11-03T01:30', '2024-11-04'],
  ['2024-06-01T12:00:00Z', '2024-08-15T07:13:11.123Z'],
]

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
