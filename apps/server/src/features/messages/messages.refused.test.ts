import { randomUUID } from 'node:crypto'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { openWorld, type Person, until, type World } from '../../../testing/world.ts'
import { receiveInbound } from '../../channels/inbound.ts'
import type { Heard } from '../../driver.ts'

let world: World
let admin: Person
let caio: Person
let rows: Rows
let whatsappId: number
beforeAll(async () => {
  world = await openWorld()
  admin = await world.as('admin@balcao.test')
  caio = await world.as('caio@balcao.test')
  rows = rowsOf(world, admin)
  whatsappId = admin.user.whatsappId!
})
afterAll(() => world.close())

const send = (person: Person, ticketId: number, body: object) =>
  person.call(messages.send, { params: { ticketId, companyId: person.user.companyId }, body })
const show = (ticketId: number) => admin.get(tickets.show, { params: { ticketId } })
const said = async (ticketId: number) => (await admin.get(messages.list, { params: { ticketId } })).messages
const resend = (messageId: string) => admin.call(messages.resend, { params: { messageId } })
const hear = (payload: Partial<Extract<Heard, { kind: 'message' }>>, to = whatsappId) =>
  receiveInbound(
    {
      scope: world.platform.scopes.inCompany(admin.user.companyId),
      whatsappId: to,
      fence: async () => {},
      log: world.platform.log,
    },
    world.platform.secrets,
    [
      [
        {
          kind: 'message',
          chat: { kind: 'phone', value: newNumber() },
          externalId: `R${randomUUID()}`,
          fromMe: false,
          name: 'Rita',
          body: 'Oi',
          mediaType: null,
          at: new Date().toISOString(),
          ...payload,
        },
      ],
    ],
  )

test('the id of a colleague’s draft, or of one’s own in another conversation, sends nothing', async () => {
  const [first, second] = [await rows.ticket(), await rows.ticket()]
  const id = randomUUID()
  expect((await send(admin, first, { id, body: 'meu' })).status).toBe(200)
  await admin.get(tickets.change, {
    params: { ticketId: first },
    body: { transf: true, queueId: caio.user.queues[0]!.id, userId: caio.user.id },
  })
  const taken = await send(caio, first, { id, body: 'de outro' })
  expect([taken.body.error, taken.body.field]).toEqual(['ERR_CREATING_MESSAGE', 'id'])
  const elsewhere = await send(admin, second, { id, body: 'aqui' })
  expect([elsewhere.body.error, elsewhere.body.field]).toEqual(['ERR_CREATING_MESSAGE', 'id'])
  expect((await said(first)).map(one => one.body).filter(body => /meu|outro/.test(body))).toEqual(['meu'])
  expect((await said(second)).some(one => one.body === 'aqui')).toBe(false)
})

test('a message of another contact is not quoted', async () => {
  const [mine, theirs] = [await rows.ticket(), await rows.ticket()]
  const [foreign] = await said(theirs)
  const { body } = await send(admin, mine, { body: 'veja', quotedMsg: foreign!.id })
  expect([body.error, body.field]).toEqual(['ERR_FETCH_WAPP_MSG', 'quotedMsg'])
  const [own] = await said(mine)
  const quoted = await send(admin, mine, { body: 'veja', quotedMsg: own!.id })
  expect(quoted.body.quotedMsg?.id).toBe(own!.id)
})

test('only what failed is sent again, and of two who ask at once one', async () => {
  expect((await resend(await rows.sentMessage())).body.error).toBe('ERR_FETCH_WAPP_MSG')
  const [theirs] = await said(await rows.ticket())
  expect((await resend(theirs!.id)).body.error).toBe('ERR_FETCH_WAPP_MSG')
  const failed = await rows.failedMessage()
  await world.database.script(`update messages set is_deleted = true where id = '${failed}'`)
  expect((await resend(failed)).body.error).toBe('ERR_FETCH_WAPP_MSG')
  const again = await rows.failedMessage()
  const answers = await Promise.all([resend(again), resend(again), resend(again)])
  expect(answers.map(({ status }) => status === 200).filter(Boolean)).toHaveLength(1)
})

test('who wrote while the line was down for an hour is not greeted as if he stood there', async () => {
  const params = { whatsappId }
  await admin.get(connections.change, { params, body: { greetingMessage: 'Olá!' } })
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const [late, early] = [newNumber(), newNumber()]
  await hear({ chat: { kind: 'phone', value: late }, at: at(61) })
  await hear({ chat: { kind: 'phone', value: early }, at: at(55) })
  const shown = async (number: string) => {
    const { tickets: found } = await admin.get(tickets.list, {
      query: { searchParam: number, showAll: true },
    })
    return (await said(found[0]!.id)).map(one => one.body)
  }
  expect([await shown(late), await shown(early)]).toEqual([['Oi'], ['Oi', 'Olá!']])
  await admin.get(connections.change, { params, body: { greetingMessage: '' } })
})

test('an answer, written here or typed on the phone, leaves nothing unread and nobody waiting', async () => {
  for (const answer of ['here', 'phone']) {
    const number = newNumber()
    const chat = { kind: 'phone' as const, value: number }
    await hear({ chat })
    const { tickets: found } = await admin.get(tickets.list, {
      query: { searchParam: number, showAll: true },
    })
    const ticketId = found[0]!.id
    await admin.get(tickets.change, {
      params: { ticketId },
      body: { transf: true, queueId: admin.user.queues[0]!.id, userId: admin.user.id },
    })
    await hear({ chat, body: 'tem alguém?' })
    expect(await show(ticketId)).toMatchObject({ unreadMessages: 2, waitingSince: expect.any(String) })
    if (answer === 'here') await send(admin, ticketId, { body: 'Pois não' })
    else await hear({ chat, fromMe: true, body: 'Pois não' })
    expect(await show(ticketId)).toMatchObject({
      unreadMessages: 0,
      waitingSince: null,
      lastMessage: 'Pois não',
    })
  }
})

test('a hundred and fifty answers that wait when the number is logged out all fail, with the reason', async () => {
  const body = { name: 'Some', lib: 'simulator' as const }
  const { id } = await admin.get(connections.create, { body })
  const params = { whatsappId: id }
  await admin.get(connections.start, { params })
  await until(async () => (await admin.get(connections.show, { params })).status === 'CONNECTED')
  await admin.get(simulator.fault, { params, body: { kind: 'offline' } })
  const number = newNumber()
  await hear({ chat: { kind: 'phone', value: number } }, id)
  const { tickets: found } = await admin.get(tickets.list, { query: { searchParam: number, showAll: true } })
  const ticketId = found[0]!.id
  await admin.get(tickets.change, {
    params: { ticketId },
    body: { status: 'open', queueId: admin.user.queues[0]!.id },
  })
  const first = await send(admin, ticketId, { body: 'espera' })
  expect(first.status).toBe(200)
  await world.database.script(`insert into messages (company_id, id, ticket_id, contact_id, whatsapp_id, external_id, from_me,
      source, body, ack, read, outbox)
    select company_id, gen_random_uuid(), ticket_id, contact_id, whatsapp_id, external_id || n, true, source, 'espera', 1, true, 'queued'
    from messages, generate_series(1, 149) n where id = '${first.body.id}'`)
  await admin.get(connections.disconnect, { params })
  await until(async () => (await said(ticketId)).at(-1)!.ack === 0)
  const pages = await Promise.all(
    [1, 2, 3, 4].map(pageNumber => admin.get(messages.list, { params: { ticketId }, query: { pageNumber } })),
  )
  const all = pages.flatMap(page => page.messages).filter(one => one.body === 'espera')
  expect(all).toHaveLength(150)
  expect(new Set(all.map(one => `${one.ack} ${one.failReason !== ''}`))).toEqual(new Set(['0 true']))
})
