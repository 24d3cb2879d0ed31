import {
  type ConnectionInput,
  connectionChannel,
  connectionDeletedChannel,
  connectionSessionChannel,
  connections,
} from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { reportSession } from './connections.session.actions.ts'

let app: TestApp
let admin: Person
let marina: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
})
afterAll(() => app.close())

let last = 0
const named = (over: Partial<ConnectionInput> = {}) => ({ name: `Linha ${++last}`, ...over })
const add = (over: Partial<ConnectionInput> = {}, who = admin) =>
  who.call(connections.create, { body: named(over) })
const added = async (over: Partial<ConnectionInput> = {}) =>
  admin.get(connections.create, { body: named(over) })
const change = (whatsappId: number, body: Partial<ConnectionInput>, who = admin) =>
  who.call(connections.change, { params: { whatsappId }, body })
const show = (whatsappId: number, who = admin) => who.get(connections.show, { params: { whatsappId } })
const theDefault = async () => (await admin.get(connections.list)).filter(({ isDefault }) => isDefault)
const queueIds = () => admin.user.queues.map(({ id }) => id)

describe('a connection', () => {
  test('that is added is heard of by everyone as it is answered, without codes [CONN-021, API-004, EVENT-003, OP-19]', async () => {
    const pushes = await marina.subscribe(connectionChannel)
    const connection = await added({ queueIds: queueIds().slice(0, 1) })
    expect(connection).toMatchObject({ lib: 'baileys', status: 'DISCONNECTED', isDefault: false })
    expect(connection.queues).toHaveLength(1)
    await until(() => pushes.length > 0)
    expect(pushes).toEqual([{ action: 'update', whatsapp: connection }])
    expect(await show(connection.id, marina)).toEqual(connection)
  })

  test('needs a name of its own [CONN-016]', async () => {
    const { status, body } = await add({ name: 'LOJA centro' })
    expect([status, body.error, body.field]).toEqual([409, 'ERR_NAME_EXISTS', 'name'])
  })

  test('beyond the plan, or without one, is refused [CONN-025, ERR-027, COMPANY-024]', async () => {
    const plan = (set: string) =>
      app.database.script(`update companies set ${set} where name = 'Lume Móveis'`)
    await plan('number_conections = 1')
    const full = await add()
    await plan('number_conections = 30')
    await app.database.script(
      `update plans set company_id = null, name = 'Guardado' where company_id = ${admin.user.companyId}`,
    )
    const planless = await add()
    await app.database.script(`update plans set company_id = ${admin.user.companyId} where name = 'Guardado'`)
    expect([full.status, full.body.error]).toEqual([402, 'ERR_NO_LIMIT_WHATSAPP'])
    expect([planless.status, planless.body.error]).toEqual([402, 'ERR_NO_COMPANY_PLAN'])
  })

  test('of several queues needs a greeting, when it is added and ever after [CONN-020, ERR-026]', async () => {
    const mute = await add({ queueIds: queueIds() })
    expect([mute.body.error, mute.body.field]).toEqual(['ERR_WAPP_GREETING_REQUIRED', 'greetingMessage'])
    const { id } = await added({ queueIds: queueIds(), greetingMessage: 'Olá' })
    expect((await change(id, { greetingMessage: '' })).body.error).toBe('ERR_WAPP_GREETING_REQUIRED')
    expect((await change(id, { greetingMessage: null, queueIds: queueIds().slice(0, 1) })).status).toBe(200)
    expect((await change(id, { queueIds: queueIds() })).body.error).toBe('ERR_WAPP_GREETING_REQUIRED')
  })

  test('imports from a day that is past up to one that is not before it [CONN-018, CONN-019, OP-76]', async () => {
    const future = await add({ importOldMessages: '2999-01-01T00:00:00.000Z' })
    expect([future.status, future.body.field]).toEqual([400, 'importOldMessages'])
    const crossed = await add({ importOldMessages: '2026-02-01', importRecentMessages: '2026-01-01' })
    expect([crossed.status, crossed.body.field]).toEqual([400, 'importRecentMessages'])
    const right = await added({ importOldMessages: '2026-01-01', importRecentMessages: '2026-02-01T10:00' })
    expect([right.importOldMessages, right.importRecentMessages]).toEqual([
      '2026-01-01T03:00:00.000Z',
      '2026-02-01T13:00:00.000Z',
    ])
  })

  test('names queues of its own company only', async () => {
    const stranger = await app.as('admin@outra.test')
    const { body } = await add({ queueIds: [stranger.user.queues[0]!.id] })
    expect(body.error).toBe('ERR_NO_QUEUE_FOUND')
  })

  test('becomes the notification centre by the master’s hand only [CONN-022]', async () => {
    const { status, body } = await add({ saasNotificationCenter: 1 })
    expect([status, body.error, body.field]).toEqual([403, 'ERR_NO_PERMISSION', 'saasNotificationCenter'])
    const master = await app.as('master@balcao.test')
    const { body: first } = await add({ saasNotificationCenter: 1 }, master)
    expect(first).toMatchObject({ saasNotificationCenter: true, isDefault: true })
  })
})

describe('the default', () => {
  test('is the first connection of a company, and moves with the flag [CONN-024]', async () => {
    const [former] = await theDefault()
    expect(former?.name).toBe('Loja Centro')
    const pushes = await marina.subscribe(connectionChannel)
    const next = await added({ isDefault: 1 })
    expect(await theDefault()).toEqual([next])
    await until(() => pushes.length === 2)
    expect(pushes.map(({ whatsapp }) => [whatsapp.id, whatsapp.isDefault])).toEqual([
      [former!.id, false],
      [next.id, true],
    ])
    await change(former!.id, { isDefault: 1 })
    expect((await theDefault()).map(({ id }) => id)).toEqual([former!.id])
  })

  test('that two admins move at once ends up on one connection', async () => {
    const [one, two] = [await added(), await added()]
    await Promise.all([change(one.id, { isDefault: 1 }), change(two.id, { isDefault: 1 })])
    expect(await theDefault()).toHaveLength(1)
  })

  test('can neither be given up nor removed [CONN-023, ERR-009]', async () => {
    const { id } = (await theDefault())[0]!
    const unset = await change(id, { isDefault: 0 })
    const removed = await admin.call(connections.remove, { params: { whatsappId: id } })
    expect([unset.status, unset.body.error]).toEqual([409, 'ERR_NO_OTHER_WHATSAPP'])
    expect([removed.status, removed.body.error]).toEqual([409, 'ERR_NO_OTHER_WHATSAPP'])
  })
})

describe('a session', () => {
  const wanted = async (whatsappId: number) => {
    const rows = await app.platform.scopes
      .platform()
      .transaction(sql =>
        rowsFrom(
          sql,
          tag`select wanted, wanted_order, wanted_number from whatsapps where id = ${whatsappId}`,
        ),
      )
    return rows[0]
  }

  test('that is asked for opens, counted, and everyone sees it opening [CONN-003, CONN-005, CONN-015, API-004, EVENT-005]', async () => {
    const { id } = await added()
    const pushes = await marina.subscribe(connectionSessionChannel)
    const session = await admin.get(connections.start, { params: { whatsappId: id } })
    expect(session).toMatchObject({ id, status: 'OPENING', retries: 0 })
    await until(() => pushes.some(push => push.session.id === id))
    expect(await wanted(id)).toEqual({ wanted: 'on', wanted_order: 1, wanted_number: '' })
    // as people write it
    await admin.get(connections.renew, { params: { whatsappId: id }, body: { number: '(11) 99999-0000' } })
    for (const number of ['99999-0000', '00000000000', 'onze nove']) {
      const wrong = await admin.call(connections.renew, { params: { whatsappId: id }, body: { number } })
      expect([number, wrong.status, wrong.body.field]).toEqual([number, 400, 'number'])
    }
    // whoever runs it may have done it by now, once
    expect(await wanted(id)).toMatchObject({
      wanted: expect.stringMatching(/^(renew|on)$/),
      wanted_order: 2,
      wanted_number: '5511999990000',
    })
  })

  test('that was never opened cannot be ended [ERR-012]', async () => {
    const { id } = await added()
    const { status, body } = await admin.call(connections.disconnect, { params: { whatsappId: id } })
    expect([status, body.error]).toEqual([409, 'ERR_WAPP_NOT_INITIALIZED'])
  })

  test('on the simulator connects by itself, as there is nothing to pair, and ends for real [CONN-006, API-004]', async () => {
    const { id } = await added({ lib: 'simulator' })
    await until(async () => (await show(id)).status === 'CONNECTED', 8_000)
    await admin.get(connections.disconnect, { params: { whatsappId: id } })
    await until(async () => (await show(id)).status === 'DISCONNECTED', 8_000)
  })

  test('shows its codes to admins alone, and stores them sealed [EVENT-005]', async () => {
    const { id } = await added()
    const [forAdmin, forMarina] = [
      await admin.subscribe(connectionSessionChannel),
      await marina.subscribe(connectionSessionChannel),
    ]
    await app.platform.scopes.inCompany(admin.user.companyId).transaction(tx =>
      reportSession(tx, app.platform.secrets, id, {
        status: 'qrcode',
        qrcode: '2@the-qr-code',
        pairingCode: 'ABCD1234',
      }),
    )
    const codes = { qrcode: '2@the-qr-code', pairingCode: 'ABCD1234' }
    const none = { qrcode: '', pairingCode: '' }
    const pushedTo = (pushes: typeof forAdmin) => until(() => pushes.find(({ session }) => session.id === id))
    expect((await pushedTo(forAdmin)).session).toMatchObject({ status: 'qrcode', ...codes })
    expect((await pushedTo(forMarina)).session).toMatchObject({ status: 'qrcode', ...none })
    expect(await show(id)).toMatchObject(codes)
    expect(await show(id, marina)).toMatchObject(none)
    const listed = await marina.get(connections.list)
    expect(JSON.stringify(listed)).not.toMatch(/the-qr-code|ABCD1234/)
    const stored = await app.platform.scopes
      .platform()
      .transaction(sql => sql.execute('select qrcode, pairing_code from whatsapps'))
    expect(JSON.stringify(stored)).not.toMatch(/the-qr-code|ABCD1234/)
  })
})

test('a connection that is removed leaves tickets, users and what waited in it in order [CONN-015, API-004, EVENT-004]', async () => {
  const { id } = await added({ lib: 'simulator' })
  await admin.get(connections.start, { params: { whatsappId: id } })
  await until(async () => (await show(id)).status === 'CONNECTED', 8_000)
  await admin.get(users.change, { params: { userId: marina.user.id }, body: { whatsappId: id } })
  const number = '5511981239900'
  await admin.get(simulator.write, { params: { whatsappId: id }, body: { number, name: 'Rui', body: 'Oi' } })
  const ticket = await until(async () =>
    (await admin.get(tickets.list)).tickets.find(one => one.contact.number === number),
  )
  const params = { ticketId: ticket.id }
  await admin.get(tickets.change, { params, body: { status: 'open', queueId: queueIds()[0] } })
  await admin.get(simulator.fault, { params: { whatsappId: id }, body: { kind: 'offline' } })
  const companyId = admin.user.companyId
  const { body: message } = await admin.call(messages.send, {
    params: { ticketId: ticket.id, companyId },
    body: { body: 'Espere' },
  })
  const pushes = await marina.subscribe(connectionDeletedChannel)
  await admin.get(connections.remove, { params: { whatsappId: id } })
  await until(() => pushes.length > 0)
  expect(pushes).toEqual([{ action: 'delete', whatsappId: id }])
  expect(await admin.get(tickets.show, { params })).toMatchObject({ status: 'open', whatsappId: null })
  const { messages: shown } = await admin.get(messages.list, { params })
  expect(shown.find(one => one.id === message.id)).toMatchObject({
    ack: 0,
    failReason: 'ERR_NO_WAPP_FOUND',
  })
  expect((await admin.get(users.show, { params: { userId: marina.user.id } })).whatsappId).toBeNull()
})

test('the tickets of a connection that is removed go to another, or are closed; only to one of the company', async () => {
  const numbers = ['5511981239901', '5511981239902']
  const stranger = await app.as('admin@outra.test')
  const opened = async () => {
    const { id } = await added({ lib: 'simulator' })
    await admin.get(connections.start, { params: { whatsappId: id } })
    await until(async () => (await show(id)).status === 'CONNECTED', 8_000)
    return id
  }
  const [heirId, ...ids] = [await opened(), await opened(), await opened()]
  const write = async (whatsappId: number, number: string) => {
    await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rui', body: 'Oi' } })
    return until(async () =>
      (await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.find(
        one => one.contact.number === number && one.whatsappId === whatsappId,
      ),
    )
  }
  const shown = (ticketId: number) => admin.get(tickets.show, { params: { ticketId } })
  const remove = (whatsappId: number, query: object) =>
    admin.call(connections.remove, { params: { whatsappId }, query })
  const there = await write(heirId!, numbers[0]!)
  const [beside, alone] = [await write(ids[0]!, numbers[0]!), await write(ids[0]!, numbers[1]!)]
  const ended = await write(ids[1]!, numbers[1]!)
  for (const wrong of [ids[0], stranger.user.whatsappId])
    expect((await remove(ids[0]!, { heirId: wrong })).body).toMatchObject({
      error: 'ERR_NO_WAPP_FOUND',
      field: 'heirId',
    })
  expect((await remove(ids[0]!, { heirId })).status).toBe(200)
  for (const { id } of [there, beside, alone])
    expect(await shown(id)).toMatchObject({ status: 'pending', whatsappId: heirId })
  expect((await remove(ids[1]!, { closeTickets: true })).status).toBe(200)
  expect(await shown(ended.id)).toMatchObject({ status: 'closed', whatsappId: null })
  const { events } = await admin.get(tickets.story, { params: { ticketId: ended.id } })
  expect(events.at(-1)).toMatchObject({ what: 'resolved', by: { id: admin.user.id } })
})

test('without demo data the simulator is refused [OP-19]', async () => {
  const { config } = app.platform
  Object.assign(config, { demo: false })
  try {
    const { status, body } = await add({ lib: 'simulator' })
    expect([status, body.field]).toEqual([400, 'lib'])
  } finally {
    Object.assign(config, { demo: true })
  }
})
