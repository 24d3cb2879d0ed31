import { createHmac } from 'node:crypto'
import { cloud } from '@balcao/contract/cloud.ts'
import { connectionChannel, connections } from '@balcao/contract/connections.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CloudScene, connect, setCloudScene, settingsOf, VERIFY_TOKEN } from '../../../testing/cloud.ts'
import { type Person, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { carriedOfConnections } from '../connections/connections.carried.queries.ts'

let scene: CloudScene
let other: Person
beforeAll(async () => {
  scene = await setCloudScene({ connections: 14, webhooks: { backOff: [200] } })
  other = await scene.world.as('admin@outra.test')
})
afterAll(() => scene.end())

let last = 0
const newNumber = () => `551197${String(1_000_000 + ++last)}`
const sign = (body: string, secret: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const post = (body: string, headers: Record<string, string>, url = scene.webhook) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

function written(
  number: string,
  text: string,
  { id = `wamid.T${++last}`, phone = scene.meta.number.id } = {},
) {
  const message = {
    from: number,
    id,
    timestamp: `${Math.floor(Date.now() / 1000)}`,
    type: 'text',
    text: { body: text },
  }
  const value = { metadata: { phone_number_id: phone }, contacts: [], messages: [message] }
  return JSON.stringify({ entry: [{ id: '1', changes: [{ field: 'messages', value }] }] })
}
const posted = (body: string) => post(body, { 'x-hub-signature-256': sign(body, scene.meta.app.secret) })

async function ticketsOf(person: Person, number: string) {
  const { tickets: listed } = await person.get(tickets.list, { query: { showAll: true, status: 'pending' } })
  return listed.filter(one => one.contact.number === number)
}
const rows = (query: string) =>
  scene.world.platform.scopes
    .platform()
    .transaction(sql => rowsFrom<Record<string, unknown>>(sql, tag.raw(query)))

describe('the handshake', () => {
  const ask = (query: string, url = scene.webhook) => fetch(`${url}?${query}`)
  const right = `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${VERIFY_TOKEN}`

  test('answers the challenge as it came to whoever knows the word', async () => {
    const answer = await ask(right)
    expect([answer.status, await answer.text()]).toEqual([200, '1158201444'])
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  })

  test('refuses a wrong word, another mode, and a key that nobody has', async () => {
    expect((await ask(right.replace(VERIFY_TOKEN, 'outra'))).status).toBe(403)
    expect((await ask(right.replace('subscribe', 'unsubscribe'))).status).toBe(403)
    expect((await ask(right, scene.webhook.replace(/.{48}$/, 'f'.repeat(48)))).status).toBe(404)
  })
})

describe('what Meta posts', () => {
  test('counts only with the signature of its own bytes, and nothing else is kept', async () => {
    const number = newNumber()
    const body = written(number, 'Olá')
    const secret = scene.meta.app.secret
    const upper = `sha256=${sign(body, secret).slice(7).toUpperCase()}`
    const sha1 = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`
    const answers: [Record<string, string>, number][] = [
      [{}, 401],
      [{ 'x-hub-signature': sha1 }, 401],
      [{ 'x-hub-signature-256': sha1 }, 403],
      [{ 'x-hub-signature-256': upper }, 403],
      [{ 'x-hub-signature-256': sign(body, 'another secret') }, 403],
      [{ 'x-hub-signature-256': sign(`${body} `, secret) }, 403],
      [{ 'x-hub-signature-256': '' }, 403],
    ]
    const before = await rows('select count(*)::int as n from cloud_deliveries')
    for (const [headers, status] of answers)
      expect([headers, (await post(body, headers)).status]).toEqual([headers, status])
    expect(await rows('select count(*)::int as n from cloud_deliveries')).toEqual(before)
    expect(await ticketsOf(scene.admin, number)).toEqual([])
  })

  test('is verified over bytes: escapes, accents and slashes do not break it', async () => {
    const number = newNumber()
    const body = written(number, 'Ação 😀 https://a.b/c')
      .replace('Ação', 'A\\u00e7\\u00e3o')
      .replaceAll('/', '\\/')
    expect((await posted(body)).status).toBe(200)
    const ticket = await until(async () => (await ticketsOf(scene.admin, number))[0])
    expect((await scene.said(ticket.id)).map(one => one.body)).toEqual(['Ação 😀 https://a.b/c'])
  })

  test('again, a hundred times at once, is one message and one ticket', async () => {
    const number = newNumber()
    const body = written(number, 'uma vez')
    const answers = await Promise.all(Array.from({ length: 100 }, () => posted(body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const ticket = await until(async () => (await ticketsOf(scene.admin, number))[0])
    await posted(body.replace('"id":"1"', '"id":"2"')) // the same message in another envelope
    await scene.meta.settled()
    await until(
      async () => (await rows('select 1 from cloud_deliveries where handled_at is null')).length === 0,
    )
    expect((await scene.said(ticket.id)).map(one => one.body)).toEqual(['uma vez'])
    expect(await ticketsOf(scene.admin, number)).toHaveLength(1)
  })

  test('of several entries, changes and items is taken in whole; what nobody knows is kept raw', async () => {
    const [one, two] = [newNumber(), newNumber()]
    const first = JSON.parse(written(one, 'primeira')).entry[0]
    const second = JSON.parse(written(two, 'segunda')).entry[0]
    const odd = { field: 'something_new', value: { hello: 'Meta' } }
    const broken = JSON.parse(written(one, 'x')).entry[0]
    broken.changes[0].value.messages[0] = { type: 'text', from: one }
    const body = JSON.stringify({ entry: [broken, { changes: [odd, ...first.changes] }, null, second] })
    expect((await posted(body)).status).toBe(200)
    for (const number of [one, two]) await until(async () => (await ticketsOf(scene.admin, number))[0])
    const kept = await until(async () => {
      const found = await rows("select strange from cloud_deliveries where strange like '%something_new%'")
      return found[0]
    })
    expect(kept.strange).toContain('"type":"text"')
  })

  test('is answered when it is written down, before what the company itself asks for meanwhile', async () => {
    const { database, scopes } = scene.world.platform
    const scope = scopes.inCompany(scene.admin.user.companyId)
    const holding = (lock: number) =>
      scope.transaction(tx => tx.sql.execute(`select pg_advisory_xact_lock_shared(${lock})`))
    // on a slow machine both are idle for longer than a transaction may be
    const hold = (lock: number, until: Promise<void>) =>
      database.transaction(
        `set local idle_in_transaction_session_timeout = 0; select pg_advisory_xact_lock(${lock});`,
        () => until,
      )
    const gate = Promise.withResolvers<void>()
    const waiting = hold(281, gate.promise)
    const first = Promise.withResolvers<void>()
    const last = hold(282, first.promise)
    await until(
      async () => (await rows('select from pg_locks where objid in (281, 282) and granted')).length === 2,
    )
    // one of its places becomes free, and many wait for it
    const asked = [holding(282), ...Array.from({ length: 30 }, () => holding(281))]
    await until(
      async () => (await rows('select from pg_locks where objid in (281, 282) and not granted')).length > 0,
    )
    const queued = database.pool().waiting
    const answer = posted(written(newNumber(), 'Oi'))
    await until(() => database.pool().waiting > queued)
    first.resolve()
    expect((await answer).status).toBe(200)
    gate.resolve()
    await Promise.all([waiting, last, ...asked])
  })

  test('that is no JSON, or no news, is refused with its right signature', async () => {
    for (const body of ['{', '[]', 'null', '{"entry":1}']) expect((await posted(body)).status).toBe(400)
  })
})

describe('what Meta thinks of a number', () => {
  const params = () => ({ whatsappId: scene.whatsappId })
  const healthIs = (expected: object, of = params()) =>
    until(async () => {
      const { cloud } = await scene.admin.get(connections.show, { params: of })
      const health = cloud!.health
      return Object.entries(expected).every(
        ([name, value]) => JSON.stringify(health[name as keyof typeof health]) === JSON.stringify(value),
      )
    }, 40_000)
  /** An `account_update` of this account at a second of Meta's clock. */
  const update = (time: number, value: object, id = scene.meta.account.id) =>
    JSON.stringify({ entry: [{ id, time, changes: [{ field: 'account_update', value }] }] })
  const ban = (state: string) => ({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: state } })
  const restriction = (until?: string | number) => ({
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: until }],
  })

  test('is kept with its name and shown to admins: what changes is asked for again', async () => {
    scene.meta.number.setQuality('RED')
    scene.meta.number.setLimit('TIER_250')
    scene.meta.number.decideName('REJECTED')
    await healthIs({
      quality: 'RED',
      numberStatus: 'FLAGGED',
      messagingLimit: 'TIER_250',
      nameStatus: 'DECLINED',
    })
    scene.meta.number.setQuality('GREEN')
    scene.meta.number.decideName('APPROVED')
    await healthIs({ quality: 'GREEN', numberStatus: 'CONNECTED', nameStatus: 'APPROVED' })
  })

  test('and of its account is kept with its dates, the later word counts, and another account is not meant', async () => {
    const now = Math.floor(Date.now() / 1000) - 100
    await posted(update(now + 2, restriction('2030-04-19T13:59:20+0000')))
    await posted(update(now, restriction(1_900_000_000)))
    await posted(update(now + 3, { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } }))
    await posted(update(now + 4, restriction(), '99999'))
    const restrictions = [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: '2030-04-19T13:59:20.000Z' }]
    await healthIs({ restrictions, violation: 'SPAM' })
    await until(
      async () => (await rows('select 1 from cloud_deliveries where handled_at is null')).length === 0,
    )
    await healthIs({ restrictions })
    const unread = await rows("select strange from cloud_deliveries where strange like 'for 99999%'")
    expect(unread).toHaveLength(1)
    await posted(update(now + 5, restriction(1_600_000_000)))
    await healthIs({ restrictions: [{ type: restrictions[0]!.type, until: '2020-09-13T12:26:40.000Z' }] })
  })

  test('never lets it look connected while it is banned: what is sent waits, and leaves once that is over', {
    timeout: 120_000,
  }, async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const session = async () => {
      const { status, statusReason } = await scene.admin.get(connections.show, { params: params() })
      return `${status} ${statusReason}`
    }
    const health = async () => (await scene.admin.get(connections.show, { params: params() })).cloud!.health
    scene.meta.account.ban('DISABLE')
    await until(async () => (await session()) === 'OPENING ERR_WAPP_BANNED', 40_000)
    await scene.send(ticketId, 'depois do bloqueio')
    await posted(update(1_700_000_000, ban('REINSTATE'))) // of an earlier ban, and late
    await scene.admin.get(connections.start, { params: params() })
    await until(async () => (await session()) === 'OPENING ERR_WAPP_BANNED', 40_000)
    expect(scene.meta.customer(number).received()).toEqual([])
    scene.meta.account.ban('REINSTATE')
    await until(async () => (await session()) === 'CONNECTED ', 40_000)
    await until(() => scene.meta.customer(number).received().length === 1, 40_000)
    scene.meta.number.setStatus('BANNED')
    scene.meta.number.account.alert('OBA_APPROVED', 'asks again')
    await until(async () => (await session()) === 'OPENING ERR_WAPP_BANNED', 40_000)
    for (const time of ['first', 'second']) {
      const { checkedAt } = await health()
      scene.meta.number.account.alert('OBA_APPROVED', `asks the ${time} time`)
      await until(async () => (await health()).checkedAt !== checkedAt, 40_000)
    }
    expect((await health()).lastError).toBe('ERR_WAPP_BANNED')
    scene.meta.number.setStatus('CONNECTED')
    scene.meta.number.account.alert('OBA_APPROVED', 'asks again')
    await until(async () => (await session()) === 'CONNECTED ', 40_000)
  })

  test('is told to every connection of the account, and to no other company', async () => {
    const second = scene.meta.account.addNumber('551130000888')
    const { id } = await connect(scene.world, scene.admin, settingsOf(scene.meta, second))
    const now = Math.floor(Date.now() / 1000)
    await posted(update(now, { ...ban('SCHEDULE_FOR_DISABLE') }))
    for (const whatsappId of [scene.whatsappId, id])
      await healthIs({ banState: 'SCHEDULE_FOR_DISABLE' }, { whatsappId })
    const states = await rows("select distinct company_id from whatsapp_cloud where ban_state <> ''")
    expect(states).toEqual([{ company_id: scene.admin.user.companyId }])
    await posted(update(now + 1, ban('REINSTATE')))
    await healthIs({ banState: '' })
    await scene.admin.get(connections.remove, { params: { whatsappId: id }, body: {} })
  })
})

describe('another company', () => {
  test('with the same app’s number inside is not touched: the key decides, and the number has to be its own', async () => {
    const app = scene.meta.addApp({ name: 'Outra' })
    const account = app.addAccount({ name: 'Outra' })
    const number = account.addNumber('551130000777')
    const token = app.addToken([account])
    const { webhook } = await connect(scene.world, other, settingsOf(scene.meta, number, token, app))
    const [customer, hers] = [newNumber(), newNumber()]

    // our app's signature at their address, and their number in a body of ours
    const theirs = written(customer, 'Oi', { phone: number.id })
    const ours = sign(theirs, scene.meta.app.secret)
    expect((await post(theirs, { 'x-hub-signature-256': ours }, webhook)).status).toBe(403)
    expect((await post(theirs, { 'x-hub-signature-256': ours })).status).toBe(200)
    const right = written(hers, 'Oi', { phone: number.id })
    expect((await post(right, { 'x-hub-signature-256': sign(right, app.secret) }, webhook)).status).toBe(200)

    await until(async () => (await ticketsOf(other, hers))[0])
    await until(
      async () => (await rows('select 1 from cloud_deliveries where handled_at is null')).length === 0,
    )
    expect(await ticketsOf(other, customer)).toEqual([])
    expect(await ticketsOf(scene.admin, customer)).toEqual([])
    expect(await ticketsOf(scene.admin, hers)).toEqual([])
  })
})

test('a connection that is carried from another installation, without its secrets, hinders no other and has an address', async () => {
  const number = scene.meta.account.addNumber('551130000889')
  const given = settingsOf(scene.meta, number)
  const { id, webhook } = await connect(scene.world, scene.admin, given)
  const { fresh } = carriedOfConnections.find(({ table }) => table === 'whatsapp_cloud')!
  const key = await fresh!.webhook_key!(value => value)
  await scene.world.database.script(`update whatsapp_cloud set access_token = '', app_secret = '', verify_token = '',
    webhook_key = '${key}' where whatsapp_id = ${id}`)
  const body = written(newNumber(), 'Oi', { phone: number.id })
  const arrive = () =>
    post(body, { 'x-hub-signature-256': sign(body, scene.meta.app.secret) }, webhook.replace(/[^/]+$/, key))
  expect((await posted(body)).status).toBe(200)
  expect((await arrive()).status).toBe(404)
  const params = { whatsappId: id }
  expect((await scene.admin.call(cloud.templates, { params })).body.error).toBe('ERR_WAPP_CLOUD_TOKEN')
  await scene.admin.get(connections.change, { params, body: { cloud: given } })
  expect((await arrive()).status).toBe(200)
  await scene.admin.get(connections.remove, { params, body: {} })
})

test('no secret is in an answer, a push, a row, or seen by an attendant at all', async () => {
  const marina = await scene.world.as('atendente@balcao.test')
  const secrets = Object.values(settingsOf(scene.meta)).slice(2)
  const pushes = await scene.admin.subscribe(connectionChannel)
  const params = { whatsappId: scene.whatsappId }
  const shown = await scene.admin.get(connections.change, { params, body: { greetingMessage: 'Olá' } })
  await until(() => pushes.length > 0)
  const stored = await rows('select * from whatsapp_cloud')
  for (const secret of secrets)
    expect(JSON.stringify([shown, pushes, stored, await scene.admin.get(connections.list)])).not.toContain(
      secret,
    )
  expect(shown.cloud?.secrets).toEqual({ accessToken: true, appSecret: true, verifyToken: true })
  expect((await marina.get(connections.show, { params })).cloud).toBeNull()
})

describe('the settings', () => {
  const create = (cloud: object | undefined, lib: 'cloud' | 'baileys' = 'cloud') =>
    scene.admin.call(connections.create, { body: { name: `Nova ${++last}`, lib, cloud } })

  test('are asked for whole, by name', async () => {
    const { status, body } = await create({ phoneNumberId: '123456', businessAccountId: '123456' })
    expect([status, body.field]).toEqual([400, 'cloud.accessToken'])
    expect((await create(undefined)).body.field).toBe('cloud.phoneNumberId')
    expect((await create({ phoneNumberId: 'abc' })).body.field).toBe('cloud.phoneNumberId')
  })

  test('name a number once in a company, and belong to no other kind of connection', async () => {
    expect((await create(settingsOf(scene.meta))).body.field).toBe('cloud.phoneNumberId')
    expect((await create(settingsOf(scene.meta), 'baileys')).body.field).toBe('cloud')
  })
})
