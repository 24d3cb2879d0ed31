import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let marina: Person
let caio: Person
let phone: number

beforeAll(async () => {
  app = await openTestApp()
  marina = await app.as('atendente@balcao.test')
  caio = await app.as('caio@balcao.test')
  phone = marina.user.whatsappId!
})
afterAll(() => app.close())

let last = 0
const newNumber = () => `55119${String(81_000_000 + ++last)}`
const write = (number: string, body: string, name = 'Renata') =>
  marina.get(simulator.write, { params: { whatsappId: phone }, body: { number, name, body } })
const waitingOf = (number: string) =>
  until(async () =>
    (await marina.get(tickets.list, { query: { status: 'pending' } })).tickets.find(
      ticket => ticket.contact.number === number,
    ),
  )
const phoneOf = (number: string) => marina.get(simulator.chat, { params: { whatsappId: phone, number } })
const accept = (person: Person, ticketId: number) =>
  person.get(tickets.change, {
    params: { ticketId },
    body: { status: 'open', queueId: person.user.queues[0]!.id },
  })
const send = (person: Person, ticketId: number, body: string, id?: string) =>
  person.call(messages.send, { params: { ticketId, companyId: person.user.companyId }, body: { body, id } })

describe('what a customer writes', () => {
  test('becomes a pending ticket that the attendants hear of and read [GEN-007, LIVE-009]', async () => {
    const pushes = await caio.subscribe(ticketChannel)
    const texts = await caio.subscribe(messageChannel)
    const number = newNumber()
    await write(number, 'Bom dia, meu pedido não chegou')
    const push = await until(() =>
      pushes.find(one => one.action === 'update' && one.ticket.contact.number === number),
    )
    expect(push).toMatchObject({
      ticket: {
        status: 'pending',
        unreadMessages: 1,
        lastMessage: 'Bom dia, meu pedido não chegou',
        contact: { name: 'Renata' },
      },
    })
    await until(() => texts.find(one => one.action === 'create' && one.message.body.startsWith('Bom dia')))
    const listed = await waitingOf(number)
    // what is one's own of a ticket is in no push of it
    const shared = { ...listed, pinned: undefined, following: undefined }
    expect(push.action === 'update' && push.ticket).toEqual(shared)
  })

  test('again goes to the same ticket, in order', async () => {
    const number = newNumber()
    for (const body of ['um', 'dois', 'três']) await write(number, body)
    const ticket = await until(async () => {
      const found = await waitingOf(number)
      return found.unreadMessages === 3 && found
    })
    const page = await marina.get(messages.list, { params: { ticketId: ticket.id } })
    expect(page.messages.map(message => message.body)).toEqual(['um', 'dois', 'três'])
  })

  test('twenty at once from somebody new make one contact, one ticket, twenty messages', async () => {
    const number = newNumber()
    await Promise.all(Array.from({ length: 20 }, (_, i) => write(number, `mensagem ${i}`)))
    const ticket = await until(async () => {
      const found = await waitingOf(number)
      return found.unreadMessages === 20 && found
    })
    const page = await marina.get(messages.list, { params: { ticketId: ticket.id } })
    const onPhone = await phoneOf(number)
    expect(page.messages.map(message => message.body)).toEqual(onPhone.map(message => message.body))
  })
})

describe('what an attendant answers', () => {
  test('reaches the phone once, and its receipts turn the marks [EVENT-008]', async () => {
    const number = newNumber()
    await write(number, 'Oi')
    const { id: ticketId } = await accept(marina, (await waitingOf(number)).id)
    const changes = await caio.subscribe(messageChannel)
    const answer = await send(marina, ticketId, 'Olá! Em que posso ajudar?')
    expect([answer.status, answer.body.ack]).toEqual([200, 1])
    const shown = await until(async () => (await phoneOf(number)).find(message => message.fromMe))
    expect(shown.body).toBe('Olá! Em que posso ajudar?')
    for (const ack of [3, 4]) {
      await marina.get(simulator.receipt, { params: { whatsappId: phone }, body: { number, ack } })
      const push = await until(() =>
        changes.find(
          one => one.action === 'update' && one.message.id === answer.body.id && one.message.ack === ack,
        ),
      )
      const page = await marina.get(messages.list, { params: { ticketId } })
      expect(push.action === 'update' && push.message).toEqual(page.messages.at(-1))
      expect(push.action === 'update' && push.ticket).toEqual(page.ticket)
    }
  })

  test('with the same id twice is one message', async () => {
    const number = newNumber()
    await write(number, 'Oi')
    const { id: ticketId } = await accept(marina, (await waitingOf(number)).id)
    const id = crypto.randomUUID()
    const [first, second] = await Promise.all([
      send(marina, ticketId, 'uma vez', id),
      send(marina, ticketId, 'uma vez', id),
    ])
    expect([first.body.id, second.body.id]).toEqual([id, id])
    await until(async () => (await phoneOf(number)).find(message => message.fromMe))
    expect((await phoneOf(number)).filter(message => message.fromMe)).toHaveLength(1)
  })

  test('that the network refuses is failed with a reason and can be sent again [ERR-015]', async () => {
    const number = newNumber()
    await write(number, 'Oi')
    const { id: ticketId } = await accept(marina, (await waitingOf(number)).id)
    const admin = await app.as('admin@balcao.test')
    await admin.get(simulator.fault, { params: { whatsappId: phone }, body: { kind: 'reject' } })
    const { body } = await send(marina, ticketId, 'não vai')
    const newest = async () => (await marina.get(messages.list, { params: { ticketId } })).messages.at(-1)!
    await until(async () => (await newest()).ack === 0)
    expect(await newest()).toMatchObject({ id: body.id, ack: 0, failReason: 'ERR_SENDING_WAPP_MSG' })
    await admin.get(simulator.fault, { params: { whatsappId: phone }, body: { kind: 'none' } })
    expect((await marina.get(messages.resend, { params: { messageId: body.id } })).ack).toBe(1)
    await until(async () => (await newest()).ack === 2)
  })

  test('while the network is away waits and leaves in order when it is back', async () => {
    const number = newNumber()
    await write(number, 'Oi')
    const { id: ticketId } = await accept(marina, (await waitingOf(number)).id)
    const admin = await app.as('admin@balcao.test')
    await admin.get(simulator.fault, { params: { whatsappId: phone }, body: { kind: 'offline' } })
    for (const body of ['a', 'b', 'c']) expect((await send(marina, ticketId, body)).status).toBe(200)
    await admin.get(simulator.fault, { params: { whatsappId: phone }, body: { kind: 'none' } })
    await until(async () => (await phoneOf(number)).filter(message => message.fromMe).length === 3, 5_000)
    expect((await phoneOf(number)).filter(message => message.fromMe).map(message => message.body)).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  test('to a ticket that is not open is refused', async () => {
    const number = newNumber()
    await write(number, 'Oi')
    const { id } = await waitingOf(number)
    const { status, body } = await send(marina, id, 'cedo demais')
    expect([status, body.error]).toEqual([409, 'ERR_TICKET_NOT_OPEN'])
  })

  test('blank or longer than WhatsApp takes is refused and names the field [MSG-028]', async () => {
    const number = newNumber()
    await write(number, 'Oi')
    const { id } = await accept(marina, (await waitingOf(number)).id)
    for (const body of ['   ', 'x'.repeat(70_000)]) {
      const answer = await send(marina, id, body)
      expect([answer.status, answer.body.field]).toEqual([400, 'body'])
    }
  })
})

describe('unread', () => {
  test('falls to nothing when the owner looks, and for nobody else [CONV-016, EVENT-007]', async () => {
    const number = newNumber()
    await write(number, 'Oi')
    const { id: ticketId } = await accept(marina, (await waitingOf(number)).id)
    await write(number, 'Ainda aí?')
    const look = (person: Person) => person.get(messages.list, { params: { ticketId } })
    await until(async () => (await look(caio)).ticket.unreadMessages === 1)
    const pushes = await caio.subscribe(ticketChannel)
    expect((await look(marina)).ticket.unreadMessages).toBe(0)
    expect(await until(() => pushes.find(one => one.action === 'updateUnread'))).toMatchObject({ ticketId })
  })
})

describe('another company', () => {
  test('neither reads nor writes in the conversation, and hears nothing of it', async () => {
    const stranger = await app.as('admin@outra.test')
    const pushes = await stranger.subscribe(messageChannel)
    const number = newNumber()
    await write(number, 'segredo')
    const { id: ticketId } = await accept(marina, (await waitingOf(number)).id)
    expect((await stranger.call(messages.list, { params: { ticketId } })).body.error).toBe(
      'ERR_NO_TICKET_FOUND',
    )
    expect((await send(stranger, ticketId, 'oi')).body.error).toBe('ERR_NO_TICKET_FOUND')
    const asOurs = await stranger.call(messages.send, {
      params: { ticketId, companyId: marina.user.companyId },
      body: { body: 'oi' },
    })
    expect(asOurs.body.error).toBe('ERR_NO_TICKET_FOUND')
    const theirs = await stranger.call(simulator.write, {
      params: { whatsappId: phone },
      body: { number, body: 'oi' },
    })
    expect(theirs.body.error).toBe('ERR_NO_WAPP_FOUND')
    expect(pushes).toEqual([])
  })
})
