import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { type Viewer, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { canRead, isInConversation } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { listMessages, readByOwner } from './thread/thread.actions.ts'

let app: TestApp
let admin: Person
let caio: Person
let phones: number[]
/** Where the tickets of these tests wait. */
let queueId: number
let readers: Reader[]
/** Sees only own customers, as one more reader does; each customer of these tests is this reader's. */
let owner: Reader
const LIMITED = 'of own customers, of whom it is none'
const sees = ({ name }: Reader) => name !== 'of another queue' && name !== LIMITED

/** A user with a screen, and everything ever received over the socket. */
interface Reader {
  name: string
  person: Person
  viewer: Viewer
  pushes: string[]
}

beforeAll(async () => {
  app = await openTestApp()
  await app.database.script('update companies set number_attendants = 999')
  admin = await app.as('admin@balcao.test')
  caio = await app.as('caio@balcao.test')
  phones = [admin.user.whatsappId!, await rowsOf(app, admin).connection()]
  queueId = await rowsOf(app, admin).queue()
  const elsewhere = await rowsOf(app, admin).queue()
  readers = [await sitDown('an admin', admin)]
  for (const allowViewPendingTickets of [true, false])
    for (const viewMessagesByTicket of [0, 1, 2] as const) {
      const name = `mode ${viewMessagesByTicket}, ${allowViewPendingTickets ? 'looks' : 'does not look'} into what waits`
      const flags = { allowViewPendingTickets, viewMessagesByTicket }
      readers.push(await sitDown(name, await hire(flags, [queueId])))
    }
  const foreign = { allowViewPendingTickets: true, viewMessagesByTicket: 0 as const }
  readers.push(await sitDown('of another queue', await hire(foreign, [elsewhere])))
  const limited = { allowViewPendingTickets: true, viewMessagesByTicket: 0 as const, onlyOwnContacts: true }
  readers.push(await sitDown(LIMITED, await hire(limited, [queueId])))
  owner = await sitDown('of own customers, whose it is', await hire(limited, [queueId]))
  readers.push(owner)
})
afterAll(() => app.close())

async function sitDown(name: string, person: Person): Promise<Reader> {
  const pushes: string[] = []
  const line = await person.socket()
  line.onAny((...payload) => pushes.push(JSON.stringify(payload)))
  return { name, person, viewer: viewerFrom(person.user), pushes }
}

async function hire(
  flags: { allowViewPendingTickets: boolean; viewMessagesByTicket: 0 | 1 | 2; onlyOwnContacts?: boolean },
  own: number[],
) {
  const email = `pessoa${unique()}@balcao.test`
  const group = await admin.get(permissions.create, { body: { name: `Grupo ${unique()}`, ...flags } })
  const input = { name: 'Nova', email, password: 'balcao-demo', whatsappId: phones[0]!, queueIds: own }
  await admin.get(users.create, { body: { ...input, userAuthorizationId: group.id } })
  return app.as(email)
}

/** A word of one message only. */
const newSecret = () => `segredo${unique()}`
const write = (number: string, body: string, whatsappId = phones[0]!) =>
  admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body } })
const ticketOf = (number: string, whatsappId = phones[0]!) =>
  until(async () => {
    const query = { status: 'pending' as const, showAll: true }
    const page = await admin.get(tickets.list, { query })
    return page.tickets.find(one => one.contact.number === number && one.whatsappId === whatsappId)
  })
const move = (ticketId: number, body: object, person = admin) =>
  person.get(tickets.change, { params: { ticketId }, body })
const giveTo = (ticketId: number, to: { userId?: number }) => move(ticketId, { transf: true, queueId, ...to })
const messageWith = async (ticketId: number, word: string) =>
  (await admin.get(messages.list, { params: { ticketId } })).messages.find(one => one.body.includes(word))!

/** A customer with one message; the ticket is pending in the queue. */
async function waiting(secret: string) {
  const number = newNumber()
  await write(number, secret)
  const { id, contactId } = await ticketOf(number)
  await admin.get(contacts.change, { params: { contactId }, body: { ownerId: owner.viewer.id } })
  return { number, ticket: await giveTo(id, {}) }
}

/** Every call that could return texts of a ticket: all answers. */
const ways: [way: string, ask: (reader: Person, ticket: Ticket, secret: string) => Promise<unknown>][] = [
  ['the list', reader => reader.call(tickets.list, { query: { status: 'pending', showAll: true } })],
  [
    'a search for what was said',
    (reader, _, searchParam) =>
      reader.call(tickets.list, { query: { tab: 'search', showAll: true, searchParam } }),
  ],
  [
    'a search for the customer',
    (reader, { contact }) =>
      reader.call(tickets.list, { query: { tab: 'search', showAll: true, searchParam: contact.number } }),
  ],
  ['the report', reader => reader.call(tickets.query)],
  ['the ticket', (reader, { id }) => reader.call(tickets.show, { params: { ticketId: id } })],
  ['the ticket by uuid', (reader, { uuid }) => reader.call(tickets.show, { params: { ticketId: uuid } })],
  ['its messages', (reader, { id }) => reader.call(messages.list, { params: { ticketId: id } })],
  [
    'a search in its messages',
    (reader, { id }, searchTerm) =>
      reader.call(messages.list, { params: { ticketId: id }, query: { searchTerm } }),
  ],
  [
    'a stretch around a message',
    async (reader, { id }, secret) => {
      const query = { around: (await messageWith(id, secret)).id }
      return reader.call(messages.list, { params: { ticketId: id }, query })
    },
  ],
  [
    'the ticket in the way of a new one',
    (reader, { contactId }) => reader.call(tickets.checkContactOpen, { body: { contactId } }),
  ],
  ['taking its tags off', (reader, { id }) => reader.call(tickets.clearTags, { params: { ticketId: id } })],
  ['tagging it', (reader, { id }) => reader.call(tickets.addTag, { params: { ticketId: id, tagId: '1' } })],
  [
    'changing its tags',
    (reader, { id }) => reader.call(tickets.syncTags, { body: { ticketId: id, tags: [] } }),
  ],
  [
    'a reaction',
    async (reader, { id }, secret) =>
      reader.call(messages.react, {
        params: { messageId: (await messageWith(id, secret)).id },
        body: { emoji: '👍' },
      }),
  ],
  [
    'fetching a file again',
    async (reader, { id }, secret) =>
      reader.call(messages.fetchMedia, { params: { messageId: (await messageWith(id, secret)).id } }),
  ],
]

/** Ways that show the words when they may be read; the others only must not when they may not. */
const fetching = new Set(['fetching a file again'])

test.each(ways)(
  '%s gives the words of what waits to those who may read it, and to nobody else',
  async (way, ask) => {
    const secret = newSecret()
    const { ticket } = await waiting(secret)
    for (const { name, person, viewer } of readers) {
      const { status, body } = (await ask(person, ticket, secret)) as { status: number; body: object }
      // no refusal repeats the requested data
      const payload = status === 200 && JSON.stringify(body).includes(secret)
      if (canRead(viewer, ticket) && fetching.has(way)) continue
      expect(payload, name).toBe(canRead(viewer, ticket))
    }
  },
)

/** Everything pushed so far has arrived when this has. */
async function allReceived() {
  const name = `Barreira ${unique()}`
  await admin.get(queues.create, { body: { name, color: `#${unique()}` } })
  for (const { pushes } of readers) await until(() => pushes.some(payload => payload.includes(name)))
}
const didReceive = ({ pushes }: Reader, word: string) => pushes.some(payload => payload.includes(word))

test('what a customer says, changes and reacts to while he waits is told to those who may read it; the others hear that he did [EVENT-008]', async () => {
  const { number, ticket } = await waiting('Oi')
  const secret = newSecret()
  for (const reader of readers) reader.pushes.length = 0
  const { id: messageId } = await write(number, secret)
  const changed = newSecret()
  await until(() => readers.some(reader => didReceive(reader, secret)))
  const params = { whatsappId: phones[0]!, messageId }
  await admin.get(simulator.edit, { params, body: { number, body: changed } })
  await until(() => readers.some(reader => didReceive(reader, changed)))
  const typing = { params: { whatsappId: phones[0]!, number }, body: { number, state: 'composing' as const } }
  await admin.get(simulator.type, typing)
  await until(() => readers.some(reader => didReceive(reader, 'typing-')))
  const accepted = newSecret()
  await write(number, accepted)
  await until(() => readers.some(reader => didReceive(reader, accepted)))
  await allReceived()
  for (const reader of readers) {
    const reads = canRead(reader.viewer, ticket)
    for (const words of [secret, changed, accepted, 'typing-', 'appMessage-'])
      expect(didReceive(reader, words), `${reader.name} hears ${words}`).toBe(reads)
    expect(didReceive(reader, `"unreadMessages":3`), reader.name).toBe(sees(reader))
  }
})

test('who may not look into what waits hears the words when it is taken up, and no more when it goes back', async () => {
  const secret = newSecret()
  const { ticket } = await waiting(secret)
  for (const reader of readers) reader.pushes.length = 0
  await giveTo(ticket.id, { userId: caio.user.id })
  await allReceived()
  const inQueue = readers.filter(sees)
  for (const reader of inQueue) expect(didReceive(reader, secret), reader.name).toBe(true)
  for (const reader of readers) reader.pushes.length = 0
  await giveTo(ticket.id, {})
  await allReceived()
  for (const reader of readers) {
    expect(didReceive(reader, secret), reader.name).toBe(canRead(reader.viewer, ticket))
    expect(didReceive(reader, ticket.uuid), reader.name).toBe(sees(reader))
  }
})

test('joining the conversation of what waits is for those who may read it [CONV-016, EVENT-024]', async () => {
  const { ticket } = await waiting('Oi')
  for (const { name, person, viewer } of readers) {
    const joined = await (await person.socket()).timeout(10_000).emitWithAck('joinChatBox', ticket.id)
    expect(joined, name).toEqual({ joined: canRead(viewer, ticket) })
  }
})

/** Other conversations with the customer of an own open ticket. */
const others: [where: string, open: (ticketId: number, reader: Reader) => Promise<Ticket>][] = [
  ['waits', ticketId => giveTo(ticketId, {})],
  ['is attended by a colleague', ticketId => giveTo(ticketId, { userId: caio.user.id })],
  [
    'was resolved by a colleague',
    async ticketId => {
      await giveTo(ticketId, { userId: caio.user.id })
      return move(ticketId, { status: 'closed' })
    },
  ],
  ['is attended by oneself', (ticketId, { viewer }) => giveTo(ticketId, { userId: viewer.id })],
]

test.each(others)(
  'with a conversation stands what %s by viewMessagesByTicket alone: read, searched and quoted [CONV-017, ROLE-004, OP-69]',
  async (where, open) => {
    for (const reader of readers) {
      const { person, viewer } = reader
      const secret = newSecret()
      const { number, ticket: mine } = await waiting('Oi')
      const own = await giveTo(mine.id, { userId: viewer.id })
      await write(number, secret, phones[1])
      const other = await open((await ticketOf(number, phones[1])).id, reader)
      const message = await messageWith(other.id, secret)
      const expected = isInConversation(viewer, own, message, other)
      const params = { ticketId: own.id }
      const pages = [
        await person.get(messages.list, { params }),
        await person.get(messages.list, { params, query: { searchTerm: secret } }),
      ]
      const label = `${reader.name} reads what ${where}`
      for (const page of pages) expect(JSON.stringify(page).includes(secret), label).toBe(expected)
      const sent = await person.call(messages.send, {
        params: { ...params, companyId: viewer.companyId },
        body: { body: 'Sobre isto', quotedMsg: message.id },
      })
      expect(JSON.stringify(sent.body).includes(secret), `${label}, quoting`).toBe(expected)
    }
  },
)

test('words of one company come to nobody of another', async () => {
  const stranger = await sitDown('a stranger', await app.as('admin@outra.test'))
  const secret = newSecret()
  const { ticket } = await waiting(secret)
  await allReceived()
  for (const [way, ask] of ways) {
    const { status, body } = (await ask(stranger.person, ticket, secret)) as { status: number; body: object }
    expect(status === 200 && JSON.stringify(body).includes(secret), way).toBe(false)
  }
  expect(stranger.pushes).toEqual([])
})

test('a read marks what the reader saw, or else what it answers; what came since stays unread', async () => {
  const { number, ticket } = await waiting('Oi')
  const params = { ticketId: ticket.id }
  await giveTo(ticket.id, { userId: admin.user.id })
  const look = (query: object = {}) => admin.get(messages.list, { params, query })
  const arrive = async (body: string) => {
    await write(number, body)
    return until(async () => (await look({ ahead: true })).messages.find(one => one.body === body && one.id))
  }
  const unread = async () => {
    const page = await look({ ahead: true })
    return [page.ticket.unreadMessages, page.messages.filter(one => !one.read).map(one => one.body)]
  }
  const first = await arrive('um')
  await arrive('dois')
  expect((await look({ readUpTo: first.id })).ticket.unreadMessages).toBe(1)
  expect(await unread()).toEqual([1, ['dois']])
  await look()
  expect(await unread()).toEqual([0, []])
  const { scopes, signals } = app.platform
  const scope = scopes.inCompany(admin.user.companyId, viewerFrom(admin.user))
  await arrive('três')
  const page = await listMessages(scope, ticket.id, {})
  await arrive('quatro')
  expect((await readByOwner(scope, page, undefined, signals)).unreadMessages).toBe(1)
  expect(await unread()).toEqual([1, ['quatro']])
})
