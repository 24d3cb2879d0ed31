import { randomUUID } from 'node:crypto'
import { connections } from '@balcao/contract/connections.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionOf } from '../../../testing/connection.ts'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { receiveInbound } from '../../channels/inbound.ts'
import type { InboundEvent } from '../../driver.ts'
import { countFailed } from './messages.jobs.ts'

let app: TestApp
let admin: Person
let caio: Person
let rows: Rows
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  caio = await app.as('caio@balcao.test')
  rows = rowsOf(app, admin)
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const send = (person: Person, ticketId: number, body: object) =>
  person.call(messages.send, { params: { ticketId, companyId: person.user.companyId }, body })
const show = (ticketId: number) => admin.get(tickets.show, { params: { ticketId } })
const messagesOf = async (ticketId: number) =>
  (await admin.get(messages.list, { params: { ticketId } })).messages
const resend = (messageId: string) => admin.call(messages.resend, { params: { messageId } })
const receive = (payload: Partial<Extract<InboundEvent, { kind: 'message' }>>, to = whatsappId) =>
  receiveInbound(connectionOf(app.platform, { companyId: admin.user.companyId, whatsappId: to }), [
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
  ])

test('the id of a colleague’s draft, or of one’s own in another conversation, sends nothing', async () => {
  const [first, second] = [await rows.ticket(), await rows.ticket()]
  const id = randomUUID()
  expect((await send(admin, first, { id, body: 'meu' })).status).toBe(200)
  await admin.get(tickets.change, {
    params: { ticketId: first },
    body: { transf: true, queueId: caio.user.queues[0]!.id, userId: caio.user.id },
  })
  const foreignId = await send(caio, first, { id, body: 'de outro' })
  expect([foreignId.body.error, foreignId.body.field]).toEqual(['ERR_CREATING_MESSAGE', 'id'])
  const elsewhere = await send(admin, second, { id, body: 'aqui' })
  expect([elsewhere.body.error, elsewhere.body.field]).toEqual(['ERR_CREATING_MESSAGE', 'id'])
  expect((await messagesOf(first)).map(one => one.body).filter(body => /meu|outro/.test(body))).toEqual([
    'meu',
  ])
  expect((await messagesOf(second)).some(one => one.body === 'aqui')).toBe(false)
})

test('a message of another contact is not quoted', async () => {
  const [mine, theirs] = [await rows.ticket(), await rows.ticket()]
  const [foreign] = await messagesOf(theirs)
  const { body } = await send(admin, mine, { body: 'veja', quotedMsg: foreign!.id })
  expect([body.error, body.field]).toEqual(['ERR_FETCH_WAPP_MSG', 'quotedMsg'])
  const [own] = await messagesOf(mine)
  const quoted = await send(admin, mine, { body: 'veja', quotedMsg: own!.id })
  expect(quoted.body.quotedMsg?.id).toBe(own!.id)
})

test('only what failed is sent again, and of two who ask at once one', async () => {
  expect((await resend(await rows.sentMessage())).body.error).toBe('ERR_FETCH_WAPP_MSG')
  const [theirs] = await messagesOf(await rows.ticket())
  expect((await resend(theirs!.id)).body.error).toBe('ERR_FETCH_WAPP_MSG')
  const failed = await rows.failedMessage()
  await app.database.script(`update messages set is_deleted = true where id = '${failed}'`)
  expect((await resend(failed)).body.error).toBe('ERR_FETCH_WAPP_MSG')
  const again = await rows.failedMessage()
  const answers = await Promise.all([resend(again), resend(again), resend(again)])
  expect(answers.map(({ status }) => status === 200).filter(Boolean)).toHaveLength(1)
})

test('a ticket with a message that failed stands among the failed ones, live too, until it left; of another company none', async () => {
  const number = newNumber()
  await receive({ chat: { kind: 'phone', value: number } })
  const find = { query: { searchParam: number, showAll: true } }
  const { id: ticketId } = (await admin.get(tickets.list, find)).tickets[0]!
  await admin.get(tickets.change, {
    params: { ticketId },
    body: { transf: true, queueId: admin.user.queues[0]!.id, userId: admin.user.id },
  })
  const stranger = await app.as('admin@outra.test')
  const query = { status: 'open', showAll: true, withFailedMessages: true } as const
  const failedOf = async (person: Person) =>
    (await person.get(tickets.list, { query })).tickets.map(({ id }) => id)
  expect(await failedOf(admin)).not.toContain(ticketId)
  const heard = await admin.subscribe(messageChannel)
  const params = { whatsappId }
  await admin.get(simulator.fault, { params, body: { kind: 'reject' } })
  const { body: message } = await send(admin, ticketId, { body: 'não sai' })
  const told = (failedMessages: number) =>
    until(() =>
      heard.some(
        push =>
          push.action === 'update' &&
          push.message.id === message.id &&
          push.ticket.failedMessages === failedMessages,
      ),
    )
  await told(1)
  expect(await failedOf(admin)).toEqual([ticketId])
  expect(await failedOf(stranger)).toEqual([])
  expect((await show(ticketId)).failedMessages).toBe(1)
  await admin.get(simulator.fault, { params, body: { kind: 'none' } })
  expect((await resend(message.id)).status).toBe(200)
  await told(0)
  expect(await failedOf(admin)).not.toContain(ticketId)

  // what failed before it was counted is found at night
  const forgotten = await rows.failedMessage()
  const { ticketId: old } = (await resend(forgotten)).body
  await app.database.script(`alter table messages disable trigger message_failed;
    update messages set ack = 0 where id = '${forgotten}'; alter table messages enable trigger message_failed`)
  expect(await failedOf(admin)).not.toContain(old)
  await countFailed.run(app.platform.scopes, app.platform.config, app.platform)
  expect(await failedOf(admin)).toContain(old)
})

test('who wrote while the line was down for an hour is not greeted as if he stood there', async () => {
  const params = { whatsappId }
  await admin.get(connections.change, { params, body: { greetingMessage: 'Olá!' } })
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const [late, early] = [newNumber(), newNumber()]
  await receive({ chat: { kind: 'phone', value: late }, at: at(61) })
  await receive({ chat: { kind: 'phone', value: early }, at: at(55) })
  const shown = async (number: string) => {
    const { tickets: found } = await admin.get(tickets.list, {
      query: { searchParam: number, showAll: true },
    })
    return (await messagesOf(found[0]!.id)).map(one => one.body)
  }
  expect([await shown(late), await shown(early)]).toEqual([['Oi'], ['Oi', 'Olá!']])
  await admin.get(connections.change, { params, body: { greetingMessage: '' } })
})

test('an answer, written here or typed on the phone, leaves nothing unread and nobody waiting', async () => {
  for (const answer of ['here', 'phone']) {
    const number = newNumber()
    const chat = { kind: 'phone' as const, value: number }
    await receive({ chat })
    const { tickets: found } = await admin.get(tickets.list, {
      query: { searchParam: number, showAll: true },
    })
    const ticketId = found[0]!.id
    await admin.get(tickets.change, {
      params: { ticketId },
      body: { transf: true, queueId: admin.user.queues[0]!.id, userId: admin.user.id },
    })
    await receive({ chat, body: 'tem alguém?' })
    expect(await show(ticketId)).toMatchObject({ unreadMessages: 2, waitingSince: expect.any(String) })
    if (answer === 'here') await send(admin, ticketId, { body: 'Pois não' })
    else await receive({ chat, fromMe: true, body: 'Pois não' })
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
  await receive({ chat: { kind: 'phone', value: number } }, id)
  const { tickets: found } = await admin.get(tickets.list, { query: { searchParam: number, showAll: true } })
  const ticketId = found[0]!.id
  await admin.get(tickets.change, {
    params: { ticketId },
    body: { status: 'open', queueId: admin.user.queues[0]!.id },
  })
  const first = await send(admin, ticketId, { body: 'espera' })
  expect(first.status).toBe(200)
  await app.database.script(`insert into messages (company_id, id, ticket_id, contact_id, whatsapp_id, external_id, from_me,
      source, body, ack, read, waits, outbox)
    select company_id, gen_random_uuid(), ticket_id, contact_id, whatsapp_id, external_id || n, true, source, 'espera', 1, true, true, 'queued'
    from messages, generate_series(1, 149) n where id = '${first.body.id}'`)
  await admin.get(connections.disconnect, { params })
  await until(async () => (await messagesOf(ticketId)).at(-1)!.ack === 0)
  const pages = await Promise.all(
    [1, 2, 3, 4].map(pageNumber => admin.get(messages.list, { params: { ticketId }, query: { pageNumber } })),
  )
  const all = pages.flatMap(page => page.messages).filter(one => one.body === 'espera')
  expect(all).toHaveLength(150)
  expect(new Set(all.map(one => `${one.ack} ${one.failReason !== ''}`))).toEqual(new Set(['0 true']))
})
