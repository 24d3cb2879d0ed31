import { type BusinessHours, businessHours } from '@balcao/contract/businessHours.ts'
import { connections } from '@balcao/contract/connections.ts'
import { queues } from '@balcao/contract/queues.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { isOpenNow } from './businessHours.queries.ts'

let app: TestApp
let helena: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  helena = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const hours = [
  { weekday: 1, opens: 480, closes: 720 },
  { weekday: 1, opens: 780, closes: 1_440 },
  { weekday: 5, opens: 0, closes: 60 },
]
const holidays = [{ day: '2026-12-25', name: 'Natal' }]

test('what an admin says of the week stands until he says it anew, and no other company hears of it', async () => {
  const input = { hours: [...hours].reverse(), holidays }
  expect(await helena.get(businessHours.change, { body: input })).toEqual({ hours, holidays })
  expect(await helena.get(businessHours.show)).toEqual({ hours, holidays })
  expect(await stranger.get(businessHours.show)).toEqual({ hours: [], holidays: [] })
  await stranger.get(businessHours.change, { body: { hours: hours.slice(2), holidays: [] } })
  expect(await helena.get(businessHours.show)).toEqual({ hours, holidays })
  const alone = { hours: [], holidays }
  expect(await helena.get(businessHours.change, { body: alone })).toEqual(alone)
  const scope = app.platform.scopes.inCompany(helena.user.companyId)
  expect(await scope.read(tx => isOpenNow(tx))).toBe(null)
  expect(await stranger.get(businessHours.show)).toEqual({ hours: hours.slice(2), holidays: [] })
})

test('two who say it at once do not mix their weeks', async () => {
  const other = [{ weekday: 2, opens: 600, closes: 660 }]
  const both = await Promise.all(
    [hours, other].map(input => helena.call(businessHours.change, { body: { hours: input, holidays: [] } })),
  )
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect([hours, other]).toContainEqual((await helena.get(businessHours.show)).hours)
})

test('a queue has hours and holidays of its own, else those of the connection, else of the company; open seconds are counted by them, and back', async () => {
  const { companyId, whatsappId } = helena.user
  await helena.get(businessHours.change, {
    body: { hours: [{ weekday: 1, opens: 480, closes: 720 }], holidays: [{ day: '2026-12-28', name: '' }] },
  })
  const { id: queueId } = await helena.get(queues.create, { body: { name: 'Plantão', color: '#0a0b0c' } })
  const at = async (queue: number | null, connection: number | null) => {
    const [row] = await app.database.transaction('', sql =>
      rowsFrom(
        sql,
        tag`select is_open(${companyId}, ${queue}::int, ${connection}::int, '2026-11-30T09:00-03:00') as open,
          is_open(${companyId}, ${queue}::int, ${connection}::int, '2026-12-28T09:00-03:00') as holiday,
          open_seconds(${companyId}, ${queue}::int, ${connection}::int, '2026-11-30T11:50-03:00', '2026-12-07T08:30-03:00') as seconds,
          (select h.at from hours_of(${companyId}, ${queue}::int, ${connection}::int) o,
            open_after(o.zone, o.week, o.days, '2026-11-30T11:50-03:00', 2400) h)::text as after`,
      ),
    )
    return row
  }
  const company = { open: true, holiday: false, seconds: 2_400, after: '2026-12-07 11:30:00+00' }
  expect(await at(queueId, whatsappId)).toEqual(company)
  const own = { hours: [{ weekday: 1, opens: 540, closes: 600 }], holidays: [] }
  await helena.get(connections.change, { params: { whatsappId: whatsappId! }, body: own })
  expect(await at(queueId, whatsappId)).toEqual({
    open: true,
    holiday: true,
    seconds: 0,
    after: '2026-12-07 12:40:00+00',
  })
  expect(await at(queueId, null)).toEqual(company)
  const never = await helena.get(queues.change, { params: { queueId }, body: { hours: [] } })
  expect(never).toMatchObject({ hours: [], holidays: null })
  expect(await at(queueId, whatsappId)).toEqual({ open: false, holiday: false, seconds: 0, after: null })
  const { status, body } = await helena.call(queues.change, {
    params: { queueId },
    body: { hours: [{ weekday: 1, opens: 720, closes: 480 }] },
  })
  expect([status, body.field]).toEqual([400, 'hours.0.closes'])
  await helena.get(queues.change, { params: { queueId }, body: { hours: null } })
  await helena.get(connections.change, {
    params: { whatsappId: whatsappId! },
    body: { hours: null, holidays: null },
  })
})

const refused: [string, object][] = [
  ['hours.0.closes', { hours: [{ weekday: 1, opens: 720, closes: 480 }], holidays: [] }],
  ['hours.0.weekday', { hours: [{ weekday: 7, opens: 1, closes: 2 }], holidays: [] }],
  ['hours.0.closes', { hours: [{ weekday: 1, opens: 1, closes: 1_441 }], holidays: [] }],
  ['hours.1.opens', { hours: [hours[0], { weekday: 1, opens: 700, closes: 800 }], holidays: [] }],
  ['holidays.0.day', { hours, holidays: [{ day: '2026-02-30', name: '' }] }],
  ['holidays', { hours, holidays: [...holidays, ...holidays] }],
]
test.each(refused)('a week that cannot be is refused with its field: %s', async (field, body) => {
  const { status, body: answer } = await helena.call(businessHours.change, { body: body as BusinessHours })
  expect([status, answer.field]).toEqual([400, field])
})
