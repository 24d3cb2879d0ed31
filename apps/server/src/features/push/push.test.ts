import { auth } from '@balcao/contract/auth.ts'
import { companies } from '@balcao/contract/companies.ts'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { MAX_DEVICES, push } from '@balcao/contract/push.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Browser, type PushService, startPushService } from '../../../testing/push-receiver.ts'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let app: TestApp
let admin: Person
let marina: Person
let caio: Person
let stranger: Person
let rows: Rows
let service: PushService
let whatsappId: number

beforeAll(async () => {
  service = await startPushService()
  app = await openTestApp({ OUTBOUND_ALLOW: '127.0.0.1', BACKEND_URL: 'https://api.loja.test' })
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  caio = await app.as('caio@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
  whatsappId = await rows.connection()
  await until(
    async () => (await admin.get(connections.show, { params: { whatsappId } })).status === 'CONNECTED',
  )
})
afterAll(async () => {
  await app.close()
  service.close()
})
beforeEach(() => app.database.script('delete from push_subscriptions; delete from push_settings'))

const CHROME =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36'
const register = (who: Person, browser: Browser, language = 'pt-BR') =>
  who.get(push.subscribe, {
    body: browser.subscription,
    headers: { 'accept-language': language, 'user-agent': CHROME },
  })
async function deviceOf(who: Person, language?: string) {
  const browser = service.browser()
  await register(who, browser, language)
  return browser
}
const write = (number: string, body: string) =>
  admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body } })
const ticketOf = async (number: string) =>
  until(
    async () =>
      (await admin.get(tickets.list, { query: { searchParam: number, status: '' } })).tickets[0] ?? null,
  )
const move = (who: Person, ticketId: number, body: object) =>
  who.get(tickets.change, { params: { ticketId }, body })
/** A customer whose ticket this user attends. */
async function customerOf(who: Person) {
  const number = newNumber()
  await write(number, 'Oi')
  const { id } = await ticketOf(number)
  await move(admin, id, { transf: true, userId: who.user.id, queueId: who.user.queues[0]?.id ?? null })
  return { number, ticketId: id }
}
const one = <T>(statement: ReturnType<typeof tag>) =>
  app.platform.scopes.platform().transaction(async sql => (await rowsFrom<T & object>(sql, statement))[0]!)
const noneWaits = () =>
  until(
    async () =>
      (await one<{ n: number }>(tag`select count(*)::int as n from push_deliveries where due_at is not null`))
        .n === 0,
  )
const payloads = (browser: Browser) => browser.received.map(({ payload }) => payload)
/** What is due later is due now. */
const later = () => app.database.script('update push_deliveries set due_at = now() where due_at is not null')

test('a customer notifies the attendant of the ticket: once on each device, signed and encrypted, and no other company', async () => {
  const foreign = await deviceOf(stranger)
  const { number, ticketId } = await customerOf(marina)
  const [phone, other] = [await deviceOf(marina), await deviceOf(caio)]
  await write(number, 'Ainda tem bolo de cenoura?')
  const [first] = await until(() => phone.received.length > 0 && phone.received)
  const { uuid } = await ticketOf(number)
  expect(first).toEqual({
    ttl: 3_600,
    urgency: 'high',
    topic: `ticket-${admin.user.companyId}-${ticketId}`,
    payload: {
      ...{ kind: 'mine', ticketId, ticketUuid: uuid, title: 'Rita', body: 'Ainda tem bolo de cenoura?' },
      ...{ tag: `ticket ${ticketId}`, badge: expect.any(Number) },
    },
  })
  expect(first!.payload.badge).toBeGreaterThan(0)
  await noneWaits()
  expect([phone.tries, other.tries, foreign.tries, service.refused]).toEqual([1, 0, 0, []])
})

test('who waits in a queue notifies its members until they leave it, and what is said only who may read it', async () => {
  const { id: queueId } = await admin.get(queues.create, {
    body: { name: `Fila ${newNumber()}`, color: '#123456' },
  })
  const inQueue = (who: Person, queueIds: number[]) =>
    admin.get(users.change, { params: { userId: who.user.id }, body: { queueIds } })
  const own = marina.user.queues.map(({ id }) => id)
  await inQueue(marina, [...own, queueId])
  const { number, ticketId } = await customerOf(admin)
  await noneWaits()
  const [member, outsider] = [await deviceOf(marina, 'en'), await deviceOf(caio)]
  await move(admin, ticketId, { transf: true, userId: null, queueId })
  await until(() => member.received.length === 1)
  expect(payloads(member)[0]).toMatchObject({ kind: 'queue', body: 'Waits to be attended', ticketId })
  await write(number, 'Alguém?')
  await until(() => member.received.length === 2)
  expect(payloads(member)[1]).toMatchObject({ kind: 'queue', body: 'Alguém?' })
  const reads = (may: boolean) =>
    app.database.script(`update user_authorizations set allow_view_pending_tickets = ${may}
      where company_id = ${admin.user.companyId}`)
  await reads(false)
  await write(number, 'Um segredo')
  await until(() => member.received.length === 3)
  const hidden = payloads(member)[2]!
  await reads(true)
  expect(hidden.body).toBe('Waits to be attended')
  await inQueue(marina, own)
  await write(number, 'Ainda aí?')
  await noneWaits()
  expect([member.tries, outsider.tries]).toEqual([3, 0])
})

test('a note mentions, with its text where the company shows texts, else without', async () => {
  const phone = await deviceOf(marina, 'es')
  const { ticketId } = await customerOf(marina)
  await noneWaits()
  phone.received.length = 0
  const note = (body: string) =>
    admin.get(messages.send, {
      params: { ticketId, companyId: admin.user.companyId },
      body: { isPrivate: true, body, mentions: [marina.user.id] },
    })
  await note('@Marina desconto de 10%')
  await until(() => phone.received.length > 0)
  expect(payloads(phone)[0]).toMatchObject({ kind: 'mention', body: '@Marina desconto de 10%', ticketId })
  const shows = (pushShowsTexts: boolean) =>
    admin.get(companies.change, { params: { companyId: admin.user.companyId }, body: { pushShowsTexts } })
  expect((await shows(false)).pushShowsTexts).toBe(false)
  await note('@Marina segredo')
  await until(() => phone.received.length > 1)
  expect(payloads(phone)[1]).toMatchObject({ kind: 'mention', body: 'Le mencionaron' })
  await shows(true)
})

test('a ticket that is given to a user notifies, one that the user accepts does not', async () => {
  const phone = await deviceOf(marina)
  const { ticketId } = await customerOf(marina)
  const given = () => payloads(phone).filter(({ kind }) => kind === 'mine')
  await until(() => given().length > 0)
  expect(given()).toMatchObject([{ ticketId, body: 'Este atendimento agora é seu' }])
  const number = newNumber()
  await write(number, 'Oi')
  const { id } = await ticketOf(number)
  await noneWaits()
  await move(marina, id, { status: 'open', userId: marina.user.id, queueId: marina.user.queues[0]!.id })
  await noneWaits()
  expect(given()).toHaveLength(1)
})

test('what is switched off, quiet, or read meanwhile is not shown', async () => {
  const { number, ticketId } = await customerOf(marina)
  const phone = await deviceOf(marina)
  const set = (body: object) => marina.get(push.changeSettings, { body })
  const said = async (body: string) => {
    await write(number, body)
    await until(async () => (await ticketOf(number)).lastMessage === body)
    await noneWaits()
  }
  expect(await set({ mine: false })).toMatchObject({ mine: false, queues: true, quietFrom: null })
  await said('desligado')
  // an hour at this moment, also over midnight
  const clock = await one<{ from: string; to: string }>(
    tag`select to_char(now() at time zone 'America/Sao_Paulo' - interval '1 hour', 'HH24:MI') as from,
      to_char(now() at time zone 'America/Sao_Paulo' + interval '1 hour', 'HH24:MI') as to`,
  )
  await set({ mine: true, quietFrom: clock.from, quietTo: clock.to })
  await said('silêncio')
  expect(phone.tries).toBe(0)
  await set({ quietFrom: clock.to, quietTo: clock.from })
  phone.answers = 503
  await write(number, 'depois')
  await until(() => phone.tries === 1)
  phone.answers = 201
  await marina.get(messages.list, { params: { ticketId } })
  await until(async () => (await ticketOf(number)).unreadMessages === 0)
  await later()
  await noneWaits()
  expect(phone.received).toEqual([])
  expect((await marina.call(push.changeSettings, { body: { quietFrom: '25:00' } })).body).toMatchObject({
    ...{ error: 'ERR_BAD_REQUEST', field: 'quietFrom' },
  })
  expect((await marina.call(push.changeSettings, { body: { quietFrom: '20:00' } })).body.field).toBe(
    'quietTo',
  )
})

test('switches that are changed at once are all changed', async () => {
  const change = (body: object) => marina.get(push.changeSettings, { body })
  for (let round = 0; round < 10; round++) {
    await app.database.script('delete from push_settings')
    await Promise.all([
      change({ mine: false }),
      change({ queues: false }),
      change({ mentions: false }),
      change({ quietFrom: '20:00', quietTo: '08:00' }),
    ])
    expect(await marina.get(push.settings)).toEqual({
      ...{ mine: false, queues: false, mentions: false, quietFrom: '20:00', quietTo: '08:00' },
    })
  }
})

test('a device that the service does not know any more is gone, a busy service is asked again, a refusal is not repeated', async () => {
  const { number } = await customerOf(marina)
  const [gone, lost, busy, large] = [
    await deviceOf(marina),
    await deviceOf(await app.as('atendente@balcao.test')),
    await deviceOf(await app.as('atendente@balcao.test')),
    await deviceOf(await app.as('atendente@balcao.test')),
  ]
  gone.answers = 410
  lost.answers = 404
  busy.answers = 429
  large.answers = 413
  await write(number, 'Oi?')
  await until(async () => (await marina.get(push.devices)).subscriptions.length === 2)
  await until(() => busy.tries === 1 && large.tries === 1)
  await until(
    async () =>
      (await one<{ n: number }>(tag`select count(*)::int as n from push_deliveries where status = 429`)).n,
  )
  busy.answers = 201
  await later()
  await until(() => busy.received.length === 1)
  await noneWaits()
  expect([gone.tries, lost.tries, busy.tries, large.tries]).toEqual([1, 1, 2, 1])
  const { state } = await one<{ state: string }>(
    tag`select state from push_deliveries where status = 413 order by position desc limit 1`,
  )
  expect(state).toBe('failed')
})

test('of several messages that wait for one device the last is shown, and what is an hour late is not', async () => {
  const { number } = await customerOf(marina)
  const phone = await deviceOf(marina)
  phone.answers = 503
  await write(number, 'um')
  await until(() => phone.tries === 1)
  await write(number, 'dois')
  await until(() => phone.tries === 2)
  phone.answers = 201
  await later()
  await noneWaits()
  expect(payloads(phone).map(({ body }) => body)).toEqual(['dois'])
  // one that waits for its next try is overtaken by a later one that was delivered at once, too
  phone.answers = 503
  await write(number, 'um de novo')
  await until(() => phone.tries === 4)
  phone.answers = 201
  await write(number, 'dois de novo')
  await until(() => phone.received.length === 2)
  await noneWaits()
  expect(payloads(phone).map(({ body }) => body)).toEqual(['dois', 'dois de novo'])
  phone.answers = 503
  await write(number, 'três')
  await until(() => phone.tries === 6)
  phone.answers = 201
  await app.database.script(`update push_deliveries set created_at = now() - interval '61 minutes'`)
  await later()
  await noneWaits()
  expect(phone.tries).toBe(6)
})

test('a device ends with its session: by a logout, a new password, the end of the company’s service or of the user', async () => {
  const body = {
    ...{
      name: 'Téo',
      email: `teo${newNumber()}@balcao.test`,
      password: 'balcao-demo',
      profile: 'user' as const,
    },
    queueIds: marina.user.queues.map(({ id }) => id),
    userAuthorizationId: marina.user.userAuthorizationId,
    whatsappId: marina.user.whatsappId,
  }
  const { id: userId } = await admin.get(users.create, { body })
  const enter = () => app.as(body.email)
  const witness = await deviceOf(marina)
  const devices = () =>
    one<{ n: number }>(tag`select count(*)::int as n from push_subscriptions where user_id = ${userId}`)

  const [first, second] = [await enter(), await enter()]
  const [out, kept] = [await deviceOf(first), await deviceOf(second)]
  await first.get(auth.logout)
  expect(await devices()).toEqual({ n: 1 })
  await admin.get(users.change, { params: { userId }, body: { password: 'outra-senha-9' } })
  expect(await devices()).toEqual({ n: 0 })

  await app.database.script(`update users set password_hash =
    (select password_hash from users where id = ${marina.user.id}) where id = ${userId}`)
  const third = await enter()
  const last = await deviceOf(third)
  // the service of the company ends before what waits has left
  last.answers = 503
  await third.get(push.test)
  await until(() => last.tries === 1)
  last.answers = 201
  await app.database.script(`update companies set status = 0 where id = ${admin.user.companyId}`)
  await later()
  await noneWaits()
  await app.database.script(`update companies set status = 1 where id = ${admin.user.companyId}`)
  expect(last.tries).toBe(1)
  await admin.get(users.remove, { params: { userId } })
  expect(await devices()).toEqual({ n: 0 })
  const { number } = await customerOf(marina)
  await write(number, 'Alguém?')
  await until(() => witness.received.length > 0)
  await noneWaits()
  expect([out.tries, kept.tries, last.received]).toEqual([0, 0, []])
})

test('a shared computer notifies who registered it last, also of another company', async () => {
  const { number } = await customerOf(marina)
  const shared = service.browser()
  const mine = await register(marina, shared)
  expect(mine).toEqual({
    ...{ id: expect.any(Number), device: 'Chrome · Android', isThis: true, createdAt: expect.any(String) },
    endpointHost: new URL(shared.subscription.endpoint).host,
  })
  expect((await marina.get(push.devices)).subscriptions).toEqual([mine])
  await register(stranger, shared)
  expect((await marina.get(push.devices)).subscriptions).toEqual([])
  await write(number, 'segredo')
  await noneWaits()
  expect(shared.tries).toBe(0)
  // no user ends another's
  const params = { subscriptionId: (await stranger.get(push.devices)).subscriptions[0]!.id }
  expect((await marina.call(push.removeDevice, { params })).body.error).toBe('ERR_NOT_FOUND')
  await marina.get(push.unsubscribe, { body: { endpoint: shared.subscription.endpoint } })
  expect((await stranger.get(push.devices)).subscriptions).toHaveLength(1)
  await stranger.get(push.removeDevice, { params })
  expect((await stranger.get(push.test)).devices).toBe(0)
})

test('an address in the network of the server, a key that is none, and a twenty-first device', async () => {
  const { subscription } = service.browser()
  const given = (more: object) => marina.call(push.subscribe, { body: { ...subscription, ...more } })
  const { keys } = subscription
  const wrong = async (more: object) => {
    const { status, body } = await given(more)
    return [status, body.error, body.field]
  }
  expect(await wrong({ endpoint: 'https://10.0.0.7/send/1' })).toEqual([
    400,
    'ERR_WEBHOOK_ADDRESS',
    'endpoint',
  ])
  for (const endpoint of [
    'http://push.test/send',
    'ftp://push.test',
    'x',
    `https://a.test/${'x'.repeat(1_000)}`,
  ])
    expect(await wrong({ endpoint })).toEqual([400, 'ERR_BAD_REQUEST', 'endpoint'])
  for (const p256dh of ['', 'AAAA', `${keys.p256dh}A`, `${keys.p256dh.slice(0, -1)}!`, 'A'.repeat(87)])
    expect(await wrong({ keys: { ...keys, p256dh } })).toEqual([400, 'ERR_BAD_REQUEST', 'keys.p256dh'])
  expect(await wrong({ keys: { ...keys, auth: 'AAAA' } })).toEqual([400, 'ERR_BAD_REQUEST', 'keys.auth'])
  expect((await given({ keys: undefined })).status).toBe(400)
  await app.database.script(`insert into sessions (id, company_id, user_id, expires_at)
    select gen_random_uuid(), ${marina.user.companyId}, ${marina.user.id}, now() + interval '1 day' from generate_series(1, ${MAX_DEVICES})`)
  await app.database.script(`insert into push_subscriptions (company_id, user_id, session_id, endpoint, p256dh, auth, device, language)
    select company_id, user_id, id, 'https://push.test/' || id, '${keys.p256dh}', '${keys.auth}', '', 'pt'
    from sessions where user_id = ${marina.user.id} and user_agent = '' limit ${MAX_DEVICES}`)
  await register(marina, service.browser())
  const { subscriptions } = await marina.get(push.devices)
  expect(subscriptions).toHaveLength(MAX_DEVICES)
  expect(subscriptions[0]).toMatchObject({ isThis: true })
})

test('the key is made once for the installation, and sealed', async () => {
  const { publicKey } = await marina.get(push.key)
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65)
  expect((await stranger.get(push.key)).publicKey).toBe(publicKey)
  const { sealed } = await one<{ sealed: string }>(tag`select private_key as sealed from push_keys`)
  expect(sealed).toMatch(/^v1\./)
})
