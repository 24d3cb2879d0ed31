import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import type { Flags } from '@balcao/contract/permissions.rules.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { asc, eq } from '../../platform/postgres/sql.ts'
import { ticketHistory } from './tickets.table.ts'

let app: TestApp
let admin: Person
let marina: Person
let caio: Person
let stranger: Person
let phone: number
let sales: number
let support: number

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  caio = await app.as('caio@balcao.test')
  stranger = await app.as('admin@outra.test')
  phone = admin.user.whatsappId!
  sales = queueOf(marina, 'Vendas')
  support = queueOf(marina, 'Suporte')
})
afterAll(() => app.close())

const queueOf = (person: Person, name: string) => person.user.queues.find(queue => queue.name === name)!.id
const show = (person: Person, ticketId: number | string) => person.get(tickets.show, { params: { ticketId } })
type Wish = { status?: Ticket['status']; userId?: number; queueId?: number; whatsappId?: number }
const change = (person: Person, ticketId: number, body: Wish & { transf?: boolean }) =>
  person.call(tickets.change, { params: { ticketId }, body })
const transfer = (person: Person, ticketId: number, to: Wish) =>
  change(person, ticketId, { ...to, transf: true })
const accept = (person: Person, ticketId: number, queueId?: number) =>
  change(person, ticketId, { status: 'open', queueId })
const newContact = async (number = newNumber()) =>
  (await admin.get(contacts.create, { body: { name: 'Rita', number } })).id
const openFor = (person: Person, contactId: number, queueId: number | undefined = sales) =>
  person.call(tickets.open, { body: { contactId, queueId } })

/** A new customer writes; the ticket waits without a queue. */
async function waiting(number = newNumber()) {
  await admin.get(simulator.write, { params: { whatsappId: phone }, body: { number, body: 'Oi' } })
  return until(async () =>
    (await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.find(
      ticket => ticket.contact.number === number,
    ),
  )
}
const waitingIn = async (queueId: number) => (await transfer(admin, (await waiting()).id, { queueId })).body
const heldBy = async (person: Person) => (await accept(person, (await waiting()).id, sales)).body

/** A new user of the company, with these queues and a group of these flags. */
async function hire(queueIds: number[], flags: Partial<Flags> = {}) {
  const email = `gente${unique()}@balcao.test`
  const group = await admin.get(permissions.create, {
    body: { name: `Grupo ${unique()}`, ...flags },
  })
  await admin.get(users.create, {
    body: {
      name: 'Gente Nova',
      email,
      password: 'balcao-demo',
      queueIds,
      userAuthorizationId: group.id,
      whatsappId: phone,
    },
  })
  return app.as(email)
}

const history = (ticketId: number) =>
  app.platform.scopes.inCompany(admin.user.companyId).transaction(async tx => {
    return tx.sql
      .select()
      .from(ticketHistory)
      .where(eq(ticketHistory.ticketId, ticketId))
      .orderBy(asc(ticketHistory.id))
  })

describe('accepting', () => {
  test('keeps the queue the ticket has, whichever is given [TSTATE-002]', async () => {
    const ticket = await waitingIn(support)
    expect((await accept(marina, ticket.id, sales)).body).toMatchObject({
      status: 'open',
      userId: marina.user.id,
      queueId: support,
      unreadMessages: 0,
    })
  })

  test('takes the given queue when the ticket has none [TSTATE-001]', async () => {
    const { id } = await waiting()
    expect((await accept(marina, id, sales)).body.queue).toMatchObject({ id: sales, name: 'Vendas' })
  })

  test('by two at once: one wins, the other is told who', async () => {
    const { id } = await waiting()
    const answers = await Promise.all([accept(marina, id, sales), accept(caio, id, sales)])
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status)
    expect([won!.status, lost!.status, lost!.body.error]).toEqual([200, 409, 'ERR_TICKET_TAKEN'])
    expect(lost!.body.details).toMatchObject({
      ticketId: id,
      user: { id: won!.body.userId, name: won!.body.user!.name },
      queue: { id: sales, name: 'Vendas' },
    })
  })

  test('twice by the same person changes nothing the second time', async () => {
    const ticket = await heldBy(marina)
    expect((await accept(marina, ticket.id)).body).toEqual(ticket)
  })

  test('with a queue of nobody is refused and names the field', async () => {
    const { id } = await waiting()
    const { status, body } = await accept(marina, id, 2_000_000_000)
    expect([status, body.error, body.field]).toEqual([404, 'ERR_NO_QUEUE_FOUND', 'queueId'])
    expect((await show(marina, id)).status).toBe('pending')
  })
})

describe('returning', () => {
  test('takes user and queue away [TSTATE-009, OP-85]', async () => {
    const { id } = await heldBy(marina)
    expect((await change(marina, id, { status: 'pending' })).body).toMatchObject({
      status: 'pending',
      userId: null,
      queueId: null,
    })
  })

  test('a closed ticket is refused', async () => {
    const { id } = await heldBy(marina)
    await change(marina, id, { status: 'closed' })
    expect((await change(marina, id, { status: 'pending' })).body.error).toBe('ERR_TICKET_NOT_OPEN')
  })
})

describe('transferring', () => {
  test('to a queue makes it wait there, held by nobody [TSTATE-020]', async () => {
    const { id } = await heldBy(marina)
    expect((await transfer(marina, id, { queueId: support })).body).toMatchObject({
      status: 'pending',
      queueId: support,
      userId: null,
    })
  })

  test('to a person opens it in that name, also from those who wait [TSTATE-008, TSTATE-020]', async () => {
    const { id } = await waiting()
    expect((await transfer(marina, id, { queueId: support, userId: caio.user.id })).body).toMatchObject({
      status: 'open',
      queueId: support,
      user: { id: caio.user.id, name: 'Caio Ribeiro' },
    })
  })

  test('to another connection only admins may [TSTATE-022, ROLE-002, OP-60]', async () => {
    const other = await rowsOf(app, admin).connection()
    const { id } = await heldBy(marina)
    const { status, body } = await transfer(marina, id, { queueId: sales, whatsappId: other })
    expect([status, body.error, body.field]).toEqual([403, 'ERR_NO_PERMISSION', 'whatsappId'])
    expect((await transfer(marina, id, { queueId: sales, whatsappId: phone })).status).toBe(200)
    expect((await transfer(admin, id, { queueId: sales, whatsappId: other })).body.whatsappId).toBe(other)
  })

  test('to what is not in the company is not found', async () => {
    const { id } = await heldBy(marina)
    const theirs = { user: stranger.user.id, queue: stranger.user.queues[0]!.id }
    expect((await transfer(marina, id, { queueId: theirs.queue })).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await transfer(marina, id, { userId: theirs.user })).body.error).toBe('ERR_NO_USER_FOUND')
    const elsewhere = await transfer(admin, id, { queueId: sales, whatsappId: stranger.user.whatsappId! })
    expect(elsewhere.body.error).toBe('ERR_NO_WAPP_FOUND')
  })
})

describe('resolving', () => {
  test('makes the resolver its user and takes the contact out of the bot [TSTATE-011, TSTATE-013, CONTACT-025]', async () => {
    const { id, contactId } = await heldBy(marina)
    await admin.get(contacts.change, { params: { contactId }, body: { commandBot: '3' } })
    expect((await change(caio, id, { status: 'closed' })).body).toMatchObject({
      status: 'closed',
      userId: caio.user.id,
    })
    expect((await admin.get(contacts.show, { params: { contactId } })).commandBot).toBe('')
  })

  test('a waiting ticket only admins may', async () => {
    const { id } = await waiting()
    const { status, body } = await change(marina, id, { status: 'closed' })
    expect([status, body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    expect((await change(admin, id, { status: 'closed' })).body.status).toBe('closed')
  })

  test('many at once answers how many were not closed yet, and only admins may [TICKET-034 … TICKET-036, API-006, OP-79]', async () => {
    const ids = [(await heldBy(marina)).id, (await waiting()).id, (await heldBy(caio)).id]
    await change(caio, ids[2]!, { status: 'closed' })
    const refused = await marina.call(tickets.resolveMany, { body: { Tickets: ids } })
    expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    const theirs = await stranger.get(tickets.resolveMany, { body: { Tickets: ids } })
    expect(theirs.closed).toBe(0)
    expect(await admin.get(tickets.resolveMany, { body: { Tickets: [...ids, 2_000_000_000] } })).toEqual({
      closed: 2,
    })
    for (const id of ids) expect((await show(admin, id)).status).toBe('closed')
  })
})

describe('reopening', () => {
  test('gives the ticket to who reopens it', async () => {
    const { id } = await heldBy(marina)
    await change(marina, id, { status: 'closed' })
    expect((await accept(caio, id)).body).toMatchObject({ status: 'open', userId: caio.user.id })
  })

  test('beside a living one is refused', async () => {
    const { id, contact } = await heldBy(marina)
    await change(marina, id, { status: 'closed' })
    await waiting(contact.number)
    const { status, body } = await accept(marina, id)
    expect([status, body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
    expect((await show(marina, id)).status).toBe('closed')
  })

  test('a message after the end starts another ticket with its own protocol', async () => {
    const first = await heldBy(marina)
    await change(marina, first.id, { status: 'closed' })
    const second = await waiting(first.contact.number)
    expect(second.id).not.toBe(first.id)
    expect(second.protocol).not.toBe(first.protocol)
    expect(second.contactId).toBe(first.contactId)
  })
})

describe('starting a conversation', () => {
  test('opens a ticket of source 1 on the default connection in the starter’s name [GEN-007, TSTATE-025, TSTATE-026]', async () => {
    const contactId = await newContact()
    expect((await openFor(marina, contactId)).body).toMatchObject({
      status: 'open',
      source: 1,
      whatsappId: phone,
      queueId: sales,
      userId: marina.user.id,
      unreadMessages: 0,
    })
  })

  test('with somebody who has a living ticket is refused; asking tells whose it is [TSTATE-038, TSTATE-050, ERR-017]', async () => {
    const held = await heldBy(caio)
    const { status, body } = await openFor(marina, held.contactId)
    expect([status, body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
    const living = await marina.get(tickets.checkContactOpen, { body: { contactId: held.contactId } })
    expect({ ...living, pinned: false, following: false }).toEqual(held)
  })

  test('is told who attends it where, and nothing of what was said where one may not read', async () => {
    const { id, contactId } = await heldBy(caio)
    const queueId = (await admin.get(queues.create, { body: { name: 'Sigilo', color: '#443322' } })).id
    await admin.get(tickets.change, {
      params: { ticketId: id },
      body: { queueId, userId: caio.user.id, transf: true },
    })
    const living = await marina.get(tickets.checkContactOpen, { body: { contactId } })
    expect(living).toMatchObject({ user: { name: caio.user.name }, queue: { name: 'Sigilo' } })
    expect(living).toMatchObject({ lastMessage: '', lastMessageId: null, unreadMessages: 0, tags: [] })
    expect((await show(admin, id)).lastMessage).not.toBe('')
  })

  test('twice at once makes one ticket', async () => {
    const contactId = await newContact()
    const answers = await Promise.all([openFor(marina, contactId), openFor(caio, contactId)])
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
  })

  test('beside another needs a group that may, and another queue or connection [TSTATE-050, ROLE-004, OP-67]', async () => {
    const several = await hire([sales, support], { allowMultipleTickets: 1 })
    const contactId = await newContact()
    const first = (await openFor(several, contactId, sales)).body
    expect((await openFor(several, contactId, sales)).body.error).toBe('ERR_OTHER_OPEN_TICKET')
    const second = await openFor(several, contactId, support)
    expect([second.status, second.body.queueId]).toEqual([200, support])
    await admin.get(simulator.write, {
      params: { whatsappId: phone },
      body: { number: first.contact.number, body: 'Para quem vai isto?' },
    })
    await until(async () => (await show(admin, first.id)).unreadMessages === 1)
    expect((await show(admin, second.body.id)).unreadMessages).toBe(0)
  })

  test('without a queue, or in a queue one does not have, is for admins [TSTATE-048]', async () => {
    const contactId = await newContact()
    const onlySales = await hire([sales])
    const none = await onlySales.call(tickets.open, { body: { contactId } })
    expect([none.status, none.body.field]).toEqual([400, 'queueId'])
    expect((await openFor(onlySales, contactId, support)).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await admin.call(tickets.open, { body: { contactId } })).body).toMatchObject({
      status: 'open',
      queueId: null,
    })
  })

  test('in a colleague’s name is for admins', async () => {
    const body = { contactId: await newContact(), queueId: sales, userId: caio.user.id }
    expect((await marina.call(tickets.open, { body })).body.error).toBe('ERR_NO_PERMISSION')
    expect((await admin.get(tickets.open, { body })).userId).toBe(caio.user.id)
  })
})

describe('asking after a contact', () => {
  test('who has nothing living is not found', async () => {
    const { id, contactId } = await heldBy(marina)
    await change(marina, id, { status: 'closed' })
    const ask = (person: Person) => person.call(tickets.checkContactOpen, { body: { contactId } })
    expect((await ask(marina)).body.error).toBe('ERR_NO_TICKET_FOUND')
    await openFor(marina, contactId)
    expect((await ask(marina)).status).toBe(200)
    expect((await ask(stranger)).body.error).toBe('ERR_NO_TICKET_FOUND')
  })
})

describe('tickets of a range', () => {
  test('are filtered by queue, attendant and day, and never more than one sees [TICKET-034 … TICKET-036, API-006, OP-07]', async () => {
    const kids = (await admin.get(queues.create, { body: { name: 'Infantil', color: '#112233' } })).id
    const ana = await hire([kids])
    const { id } = await waitingIn(kids)
    await accept(ana, id)
    const ask = async (person: Person, query: object) =>
      (await person.get(tickets.query, { query })).tickets.map(ticket => ticket.id)
    expect(await ask(admin, { selectedQueueIds: [kids] })).toEqual([id])
    expect(await ask(admin, { selectedUserIds: [ana.user.id], living: true })).toEqual([id])
    expect(await ask(marina, { selectedQueueIds: [kids] })).toEqual([])
    expect(await ask(admin, { selectedQueueIds: [kids], finalDate: '2020-01-01' })).toEqual([])
    const { reportData, tickets: found } = await ana.get(tickets.query, {
      query: { initialDate: '2020-01-01', selectedQueueIds: [kids] },
    })
    expect(reportData.tickets).toEqual(found)
    expect(found.map(ticket => ticket.id)).toEqual([id])
    await admin.get(tickets.resolveMany, { body: { Tickets: [id] } })
    expect(await ask(admin, { selectedQueueIds: [kids], living: true })).toEqual([])
    expect(await ask(admin, { selectedQueueIds: [kids] })).toEqual([id])
  })
})

describe('one ticket', () => {
  test('is shown by id and by uuid, the same [API-006]', async () => {
    const ticket = await heldBy(marina)
    const unmarked = { ...ticket, following: false, pinned: false }
    expect(await show(marina, ticket.id)).toEqual(unmarked)
    expect(await show(marina, ticket.uuid)).toEqual(unmarked)
  })

  test('is deleted by admins only, and is gone with its messages [GEN-009, TSTATE-019, ROLE-002, OP-60]', async () => {
    const { id } = await heldBy(marina)
    const remove = (person: Person) => person.call(tickets.remove, { params: { ticketId: id } })
    expect((await remove(marina)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await remove(admin)).status).toBe(200)
    const gone = await admin.call(tickets.show, { params: { ticketId: id } })
    expect([gone.status, gone.body.error]).toEqual([404, 'ERR_NO_TICKET_FOUND'])
    expect((await remove(admin)).body.error).toBe('ERR_NO_TICKET_FOUND')
    expect(await history(id)).toEqual([])
  })

  test('of another company is not found, whatever is asked of it', async () => {
    const { id, uuid, contactId } = await heldBy(marina)
    const answers = await Promise.all([
      stranger.call(tickets.show, { params: { ticketId: id } }),
      stranger.call(tickets.show, { params: { ticketId: uuid } }),
      accept(stranger, id),
      change(stranger, id, { status: 'pending' }),
      change(stranger, id, { status: 'closed' }),
      transfer(stranger, id, { queueId: stranger.user.queues[0]!.id }),
      stranger.call(tickets.remove, { params: { ticketId: id } }),
    ])
    for (const { status, body } of answers) expect([status, body.error]).toEqual([404, 'ERR_NO_TICKET_FOUND'])
    const opened = await openFor(stranger, contactId, stranger.user.queues[0]!.id)
    expect(opened.body.error).toBe('ERR_NO_CONTACT_FOUND')
    expect((await show(marina, id)).version).toBe((await show(admin, id)).version)
  })
})

describe('who sees what', () => {
  test('a ticket of a foreign queue is not found, also when it is acted upon', async () => {
    const onlySales = await hire([sales])
    const { id } = await waitingIn(support)
    const answers = await Promise.all([
      onlySales.call(tickets.show, { params: { ticketId: id } }),
      accept(onlySales, id),
      transfer(onlySales, id, { queueId: sales }),
      onlySales.call(messages.list, { params: { ticketId: id } }),
    ])
    for (const { status, body } of answers) expect([status, body.error]).toEqual([404, 'ERR_NO_TICKET_FOUND'])
  })

  test('one’s own stays in sight in a foreign queue', async () => {
    const onlySales = await hire([sales])
    const { id } = await waitingIn(support)
    await transfer(admin, id, { queueId: support, userId: onlySales.user.id })
    expect((await show(onlySales, id)).queueId).toBe(support)
  })

  test('tickets without a queue are for those who may take such [ROLE-004, OP-85]', async () => {
    const strict = await hire([sales], { allowNoQueue: 0 })
    const { id } = await waiting()
    expect((await strict.call(tickets.show, { params: { ticketId: id } })).status).toBe(404)
    expect((await show(marina, id)).id).toBe(id)
  })

  test('a waiting ticket is seen but not read where the group says so [TSTATE-036, ROLE-004]', async () => {
    const shut = await hire([sales], { allowViewPendingTickets: false })
    const { id } = await waitingIn(sales)
    expect((await show(shut, id)).id).toBe(id)
    const read = await shut.call(messages.list, { params: { ticketId: id } })
    expect([read.status, read.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    await accept(shut, id)
    expect((await shut.get(messages.list, { params: { ticketId: id } })).messages).toHaveLength(1)
  })
})

describe('the record', () => {
  test('says who moved a ticket, from where, to where [GEN-009, TSTATE-024]', async () => {
    const { id } = await waiting()
    await accept(marina, id, sales)
    await transfer(marina, id, { queueId: support })
    await accept(caio, id)
    await change(caio, id, { status: 'pending' })
    await transfer(admin, id, { queueId: sales, userId: marina.user.id })
    await change(marina, id, { status: 'closed' })
    await accept(caio, id)
    const [m, c] = [marina.user.id, caio.user.id]
    const lines = (await history(id)).map(row => [
      row.what,
      row.byUserId,
      [row.fromStatus, row.fromQueueId, row.fromUserId],
      [row.toStatus, row.toQueueId, row.toUserId],
    ])
    expect(lines).toEqual([
      ['opened', null, [null, null, null], ['pending', null, null]],
      ['accepted', m, ['pending', null, null], ['open', sales, m]],
      ['transferred', m, ['open', sales, m], ['pending', support, null]],
      ['accepted', c, ['pending', support, null], ['open', support, c]],
      ['returned', c, ['open', support, c], ['pending', null, null]],
      ['transferred', admin.user.id, ['pending', null, null], ['open', sales, m]],
      ['resolved', m, ['open', sales, m], ['closed', sales, m]],
      ['reopened', c, ['closed', sales, m], ['open', sales, c]],
    ])
  })

  test('gives every ticket its own protocol and uuid, also when many begin at once [TSTATE-051, OP-68]', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => waiting()))
    expect(new Set(made.map(ticket => ticket.protocol)).size).toBe(20)
    expect(new Set(made.map(ticket => ticket.uuid)).size).toBe(20)
  })
})
