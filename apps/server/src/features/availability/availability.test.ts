import { auth } from '@balcao/contract/auth.ts'
import { availability, availabilityChannel, type UserHours } from '@balcao/contract/availability.ts'
import { pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { team } from '@balcao/contract/team.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { endOutsideHours } from '../auth/auth.jobs.ts'
import { availableAmong } from './availability.state.queries.ts'
import { beat } from './availability.worker.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const run = (statement: ReturnType<typeof tag>) =>
  app.platform.scopes.platform().transaction(sql => rowsFrom<Record<string, unknown>>(sql, statement))
const ofMarina = () => tag`company_id = ${marina.user.companyId} and user_id = ${marina.user.id}`
const own = () => marina.get(availability.own)
const among = () =>
  app.platform.scopes
    .inCompany(marina.user.companyId)
    .read(tx => availableAmong(tx, [marina.user.id, admin.user.id]))
const memberFor = async (who: Person) =>
  (await who.get(team.board)).users.find(({ id }) => id === marina.user.id)
const setHours = (hours: Partial<UserHours>) =>
  admin.call(availability.changeHours, {
    params: { userId: marina.user.id },
    body: { working: [], login: [], ...hours },
  })
/** A minute of a day that is not today, by any clock. */
const otherwise = [{ weekday: (new Date().getUTCDay() + 3) % 7, opens: 0, closes: 1 }]
const always = [0, 1, 2, 3, 4, 5, 6].map(weekday => ({ weekday, opens: 0, closes: 1_440 }))

beforeEach(async () => {
  await setHours({})
  await marina.get(availability.set, { body: { state: 'available' } })
  await beat(app.platform)
})

test('a user is available by hand, on a pause with a reason, and away; the board and the pushes say so', async () => {
  const reason = await admin.get(pauseReasons.create, { body: { name: 'Almoço' } })
  const [pushes, elsewhere] = [
    await admin.subscribe(availabilityChannel),
    await stranger.subscribe(availabilityChannel),
  ]
  const paused = await marina.get(availability.set, { body: { state: 'pause', reasonId: reason.id } })
  expect(paused).toMatchObject({ state: 'pause', cause: 'hand', reason, online: true })
  expect(await memberFor(admin)).toMatchObject({ ...paused, open: expect.any(Number), resolvedToday: 0 })
  expect(await among()).not.toContain(marina.user.id)
  const { since } = await marina.get(availability.set, { body: { state: 'available' } })
  expect(Date.parse(since!)).toBeGreaterThanOrEqual(Date.parse(paused.since!))
  expect(await among()).toContain(marina.user.id)
  await until(() => pushes.length === 2)
  expect(pushes).toMatchObject([{ availability: paused }, { availability: { state: 'available' } }])
  expect(elsewhere).toEqual([])
  expect(await marina.get(availability.set, { body: { state: 'away' } })).toMatchObject({
    ...{ state: 'away', cause: 'hand', reason: null },
  })
})

test('the board is pushed to who sees only own customers, and to who sees the whole team without being an admin', async () => {
  const group = (more: object) =>
    admin.get(permissions.create, { body: { name: `Quadro ${unique()}`, ...more } })
  const hire = async (more: object, queueIds: number[]) => {
    const email = `quadro${unique()}@balcao.test`
    const { id: userAuthorizationId } = await group(more)
    const { whatsappId } = admin.user
    const body = { name: 'Lia', email, password: 'balcao-demo', userAuthorizationId, whatsappId, queueIds }
    await admin.get(users.create, { body })
    return app.as(email)
  }
  const alone = await rowsOf(app, admin).queue()
  const lists = await Promise.all(
    [
      await hire({ onlyOwnContacts: true }, marina.user.queueIds),
      await hire({ allowTeam: true }, [alone]),
      await hire({}, [alone]),
    ].map(who => who.subscribe(availabilityChannel)),
  )
  await marina.get(availability.set, { body: { state: 'pause' } })
  const ofMarinas = (pushes: { userId: number }[]) => pushes.filter(({ userId }) => userId === marina.user.id)
  await until(() => lists.slice(0, 2).every(pushes => ofMarinas(pushes).length === 1))
  expect(ofMarinas(lists[2]!)).toEqual([])
})

test('an attendant sees the colleagues of own queues without figures, another company nobody of this one', async () => {
  const seen = await memberFor(marina)
  expect(seen).toMatchObject({ state: 'available' })
  expect(Object.keys(seen!)).not.toContain('open')
  const ids = (await stranger.get(team.board)).users.map(({ id }) => id)
  expect(ids).toEqual([stranger.user.id])
  const theirs = await stranger.get(pauseReasons.create, { body: { name: 'Deles' } })
  const refused = await marina.call(availability.set, { body: { state: 'pause', reasonId: theirs.id } })
  expect([refused.status, refused.body.field]).toEqual([404, 'reasonId'])
  const params = { userId: marina.user.id }
  const body = { working: [], login: [] }
  const calls = [
    stranger.call(availability.hours, { params }),
    stranger.call(availability.changeHours, { params, body }),
    stranger.call(availability.setOf, { params, body: { state: 'away' } }),
  ]
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404])
  expect((await marina.call(availability.setOf, { params, body: { state: 'away' } })).status).toBe(403)
  expect((await marina.call(users.show, { params })).status).toBe(200)
})

test('who has no screen open is away, and available with one, without a choice of theirs', async () => {
  await run(tag`update user_presence set seen_until = now() - interval '1 s', screen_at = now() - interval '1 minute'
    where ${ofMarina()}`)
  expect(await among()).not.toContain(marina.user.id)
  await beat(app.platform)
  expect(await memberFor(admin)).toMatchObject({ state: 'away', cause: 'screen', online: false })
  await marina.subscribe(availabilityChannel)
  await beat(app.platform)
  expect(await memberFor(admin)).toMatchObject({ state: 'available', online: true })
  expect(await among()).toContain(marina.user.id)
})

test('without input for the minutes of the company a user is away, and back by the next act only then', async () => {
  await admin.get(availability.changeSettings, { body: { silenceMinutes: 5 } })
  const longAgo = () =>
    run(tag`update user_presence set acted_at = now() - interval '6 minutes' where ${ofMarina()}`)
  await longAgo()
  await beat(app.platform)
  expect(await own()).toMatchObject({ state: 'away', cause: 'silence' })
  await marina.get(availability.here)
  await beat(app.platform)
  expect(await own()).toMatchObject({ state: 'available' })
  await marina.get(availability.set, { body: { state: 'away' } })
  await beat(app.platform)
  await longAgo()
  await marina.get(availability.here)
  await beat(app.platform)
  expect(await own()).toMatchObject({ state: 'away', cause: 'hand' })
  await admin.get(availability.changeSettings, { body: { silenceMinutes: null } })
})

test('outside the working hours a user is away, unless by hand available despite them, until they begin again', async () => {
  await marina.get(availability.set, { body: { state: 'pause' } })
  await setHours({ working: otherwise })
  expect(await own()).toMatchObject({ state: 'away', cause: 'hours' })
  expect(await marina.get(availability.set, { body: { state: 'available' } })).toMatchObject({
    state: 'available',
  })
  await setHours({ working: always })
  await beat(app.platform)
  expect(await own()).toMatchObject({ state: 'available' })
  await setHours({ working: otherwise })
  expect(await own()).toMatchObject({ state: 'away', cause: 'hours' })
})

test('the end of the working hours ends a pause, in the report too, and the next day does not begin with it', async () => {
  await marina.get(availability.set, { body: { state: 'pause' } })
  await run(tag`update user_hours set working = ${JSON.stringify(otherwise)}::jsonb where ${ofMarina()}`)
  await beat(app.platform)
  expect(await own()).toMatchObject({ state: 'away', cause: 'hours' })
  expect(
    await run(tag`select state from availability_spells where ${ofMarina()} and ended_at is null`),
  ).toEqual([{ state: 'away' }])
  await run(tag`update user_hours set working = null where ${ofMarina()}`)
  await beat(app.platform)
  expect(await own()).toMatchObject({ state: 'available' })
})

test('outside the hours to log in a login is refused and sessions end; administrators are not bound', async () => {
  expect((await setHours({ login: [{ weekday: 1, opens: 60, closes: 30 }] })).body.field).toBe(
    'login.0.closes',
  )
  const passing = await app.as('atendente@balcao.test')
  await setHours({ login: otherwise })
  const tries = (email: string) =>
    app.anonymous.call(auth.login, { body: { email, password: 'balcao-demo' } })
  expect((await tries('atendente@balcao.test')).body).toMatchObject({ error: 'ERR_OUTSIDE_LOGIN_HOURS' })
  await endOutsideHours(app.platform.scopes)
  await until(async () => (await passing.call(availability.own)).status === 401)
  await admin.call(availability.changeHours, {
    params: { userId: admin.user.id },
    body: { working: [], login: otherwise },
  })
  expect((await tries('admin@balcao.test')).status).toBe(200)
  await setHours({})
  marina = await app.as('atendente@balcao.test')
})

test('the report of pauses counts each with its part in the range, also as a file', async () => {
  const reason = await admin.get(pauseReasons.create, { body: { name: 'Café' } })
  await run(tag`insert into availability_spells (company_id, user_id, state, cause, reason_id, began_at, ended_at)
    values (${marina.user.companyId}, ${marina.user.id}, 'pause', 'hand', ${reason.id}, '2026-03-01T02:30:00Z', '2026-03-01T03:30:00Z'),
      (${marina.user.companyId}, ${marina.user.id}, 'pause', 'hand', ${reason.id}, '2026-03-01T15:00:00Z', '2026-03-01T15:10:00Z')`)
  // São Paulo's day begins at 03:00 UTC
  const query = { initialDate: '2026-03-01', finalDate: '2026-03-01' }
  const { pauses } = await admin.get(team.pauses, { query })
  expect(pauses).toEqual([
    {
      ...{ userId: marina.user.id, user: marina.user.name, reasonId: reason.id, reason: 'Café' },
      ...{ count: 2, seconds: 2_400, longestSeconds: 1_800 },
    },
  ])
  await admin.get(pauseReasons.remove, { params: { pauseReasonId: reason.id } })
  expect((await admin.get(team.pauses, { query })).pauses[0]!.reason).toBe('Café')
  const { url } = await admin.get(team.exportPauses, { query: { ...query, format: 'csv', language: 'en' } })
  expect(url).toMatch(/\.csv/)
  expect((await stranger.get(team.pauses, { query })).pauses).toEqual([])
  expect((await marina.call(team.pauses, { query })).status).toBe(403)
})
