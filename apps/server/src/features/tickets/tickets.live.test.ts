import { channelName } from '@balcao/contract/kit.ts'
import { applyMark, unmarked } from '@balcao/contract/marks.rules.ts'
import { markChannel, marks } from '@balcao/contract/marks.ts'
import { applyMessagePush } from '@balcao/contract/messages.rules.ts'
import { type Message, type MessagePush, messageChannel, messages } from '@balcao/contract/messages.ts'
import { type Viewer, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import {
  applyPush,
  canRead,
  canSee,
  isNewer,
  type LoadedTickets,
  type TicketList,
} from '@balcao/contract/tickets.rules.ts'
import { type Ticket, type TicketPush, ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import type { z } from 'zod'
import { newNumber, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { eq } from '../../platform/postgres/sql.ts'
import { selectTickets, toTicket } from './tickets.queries.ts'
import { tickets as ticketTable } from './tickets.table.ts'

const ACTIONS = 150
const SEED = Number(process.env.SEED) || Math.floor(Math.random() * 2 ** 31)

let app: TestApp
let admin: Person
let phone: number
let queueIds: number[]

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  phone = admin.user.whatsappId!
  queueIds = (await admin.get(queues.list)).map(queue => queue.id)
})
afterAll(() => app.close())

interface InboundEvent {
  ticketId: number
  /** Infinite for a deletion: it comes last. */
  version: number
  ticket?: Ticket
}

/** A person before a screen with every list open and every conversation read from. */
interface Screen {
  person: Person
  viewer: Viewer
  lists: { list: TicketList; loaded: LoadedTickets }[]
  talks: Map<number, { contactId: number; messages: Message[] }>
  /** Everything that came over the line about a ticket. */
  heard: InboundEvent[]
}

const STATUSES = ['open', 'pending', 'closed'] as const
const SORTS = ['newest', 'waiting'] as const
const fetched = (person: Person, { status, showAll, sort, snoozed }: TicketList) =>
  person.get(tickets.list, { query: { status: status ?? '', showAll, sort, snoozed } })

/** Which tickets are marked, in whatever order that was. */
const marksOf = ({ marks = { pinned: [], following: [] } }: LoadedTickets) =>
  [marks.pinned, marks.following].map(ids => ids.toSorted((a, b) => a - b))

async function sitDown(person: Person, showAll: boolean): Promise<Screen> {
  const screen: Screen = {
    person,
    viewer: viewerFrom(person.user),
    lists: [
      ...STATUSES.flatMap(status => SORTS.map(sort => ({ status, showAll, sort }))),
      { status: null, showAll, snoozed: true as const },
    ].map(list => ({ list, loaded: { tickets: [], hasMore: false, count: 0 } })),
    talks: new Map(),
    heard: [],
  }
  const seen = new Map<number, number>()
  const apply = (push: TicketPush) => {
    if (!isNewer(seen, push)) return
    for (const one of screen.lists) one.loaded = applyPush(one.loaded, push, screen.viewer, one.list)
  }
  const socket = await person.socket()
  const know = (push: TicketPush) => {
    const update = push.action === 'update' ? push.ticket : null
    const ticketId = update?.id ?? (push as { ticketId: number }).ticketId
    const version =
      push.action === 'updateUnread' ? push.version : (update?.version ?? Number.POSITIVE_INFINITY)
    screen.heard.push({ ticketId, version, ...(update && { ticket: update }) })
    if (push.action === 'delete' || (update && !canRead(screen.viewer, update))) screen.talks.delete(ticketId)
    if (push.action === 'delete')
      for (const talk of screen.talks.values())
        talk.messages = talk.messages.filter(message => message.ticketId !== ticketId)
    apply(push)
  }
  socket.on(channelName(ticketChannel, person.user.companyId), know)
  const removed = new Set<number>()
  socket.on(channelName(markChannel, person.user.companyId), (push: z.infer<typeof markChannel.payload>) => {
    if ('removed' in push) {
      removed.add(push.removed)
      for (const one of screen.lists) one.loaded = unmarked(one.loaded, push.removed)
      return
    }
    if (!('ticket' in push)) return
    const { ticket } = push
    screen.heard.push({ ticketId: ticket.id, version: ticket.version, ticket })
    if (removed.has(ticket.id)) return
    for (const one of screen.lists) one.loaded = applyMark(one.loaded, ticket, screen.viewer, one.list)
  })
  socket.on(channelName(messageChannel, person.user.companyId), (push: MessagePush) => {
    if (push.action === 'delete') return
    know({ action: 'update', ticket: push.ticket })
    for (const [ticketId, talk] of screen.talks)
      talk.messages = applyMessagePush(talk.messages, push, message =>
        screen.viewer.authorization.viewMessagesByTicket === 0
          ? message.contactId === talk.contactId
          : message.ticketId === ticketId,
      )
  })
  return screen
}

async function hire(
  name: string,
  own: number[],
  flags: { allowNoQueue?: 0 | 1; allowViewPendingTickets?: boolean } = {},
) {
  const email = `pessoa${unique()}@balcao.test`
  const group = await admin.get(permissions.create, {
    body: { name: `Grupo ${unique()}`, viewMessagesByTicket: 2, ...flags },
  })
  await admin.get(users.create, {
    body: {
      name,
      email,
      password: 'balcao-demo',
      queueIds: own,
      whatsappId: phone,
      userAuthorizationId: group.id,
    },
  })
  return app.as(email)
}

/** The same numbers for the same seed. */
function dice(seed: number) {
  let state = seed
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return { one: <T>(of: readonly T[]): T => of[Math.floor(roll() * of.length)]! }
}

type Dice = ReturnType<typeof dice>
const numbers = Array.from({ length: 14 }, newNumber)
let sent = 0

const allTickets = (): Promise<Ticket[]> =>
  app.platform.scopes
    .inCompany(admin.user.companyId)
    .transaction(async tx =>
      (
        await selectTickets(tx.sql).where(eq(ticketTable.companyId, tx.companyId)).orderBy(ticketTable.id)
      ).map(toTicket),
    )

const change = (person: Person, ticketId: number, body: object) =>
  person.call(tickets.change, { params: { ticketId }, body })

const verbs = {
  accept: (person: Person, { id }: Ticket, { one }: Dice) =>
    change(person, id, { status: 'open', queueId: one(queueIds) }),
  answer: (person: Person, { id }: Ticket) =>
    person.call(messages.send, {
      params: { ticketId: id, companyId: person.user.companyId },
      body: { body: `resposta ${++sent}` },
    }),
  giveBack: (person: Person, { id }: Ticket) => change(person, id, { status: 'pending' }),
  toQueue: (person: Person, { id }: Ticket, { one }: Dice) =>
    change(person, id, { transf: true, queueId: one(queueIds) }),
  toPerson: (person: Person, { id }: Ticket, { one }: Dice, people: Person[]) =>
    change(person, id, { transf: true, queueId: one(queueIds), userId: one(people).user.id }),
  resolve: (person: Person, { id }: Ticket) => change(person, id, { status: 'closed' }),
  remove: (_: Person, { id }: Ticket) => admin.call(tickets.remove, { params: { ticketId: id } }),
  snooze: (person: Person, { id, snoozedUntil }: Ticket) =>
    person.call(marks.snooze, { params: { ticketId: id }, body: { until: snoozedUntil ? null : tomorrow } }),
  pin: (person: Person, { id }: Ticket, { one }: Dice) =>
    person.call(marks.pin, { params: { ticketId: id }, body: { on: one([true, true, false]) } }),
  follow: (person: Person, { id }: Ticket, { one }: Dice) =>
    person.call(marks.follow, { params: { ticketId: id }, body: { on: one([true, false]) } }),
  unread: (person: Person, { id }: Ticket, { one }: Dice) =>
    person.call(marks.unread, { params: { ticketId: id }, body: { on: one([true, false]) } }),
  read: (person: Person, { id }: Ticket) => person.call(messages.list, { params: { ticketId: id } }),
  receipts: (_: Person, { contact }: Ticket, { one }: Dice) =>
    admin.call(simulator.receipt, {
      params: { whatsappId: phone },
      body: { number: contact.number, ack: one([3, 4]) },
    }),
}
const most = [
  'accept',
  'accept',
  'answer',
  'answer',
  'toQueue',
  'toPerson',
  'resolve',
  'read',
  'receipts',
] as const
const ordering = ['snooze', 'snooze', 'snooze', 'pin', 'pin', 'follow', 'unread'] as const
const deck = [...most, ...most, ...most, ...ordering, 'giveBack', 'remove'] as const
const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

/** One random event: a customer writes, or a user acts on a ticket, allowed or not. */
async function happen(dice: Dice, people: Person[]) {
  const current = await allTickets()
  if (current.length < 3 || dice.one([1, 2, 3]) === 1) {
    const body = { number: dice.one(numbers), body: `mensagem ${++sent}` }
    return admin.get(simulator.write, { params: { whatsappId: phone }, body })
  }
  const { status, body } = await verbs[dice.one(deck)](dice.one(people), dice.one(current), dice, people)
  if (status >= 500) throw new Error(`answered ${status} ${JSON.stringify(body)}`)
}

/** Until no push has arrived for a while and the outbox is empty. */
async function settled(screens: Screen[]) {
  const sum = () => screens.reduce((all, screen) => all + screen.heard.length, 0)
  for (let before = -1; before !== sum(); ) {
    before = sum()
    await new Promise(done => setTimeout(done, 1_500))
  }
}

/** A message is not published again when its ticket moves or is read: the screen reads both from the ticket. */
const shown = ({ read: _, ticket: { queueId: __, ...ticket }, ...message }: Message) => ({
  ...message,
  ticket,
})

const readTalks = async ({ person, talks }: Screen, current: Ticket[]) => {
  for (const { id, contactId } of current) {
    const { status, body } = await person.call(messages.list, { params: { ticketId: id } })
    if (status === 200) talks.set(id, { contactId, messages: body.messages })
  }
}

/** The state of each ticket by version, from the pushes to the admin. */
function placesOf({ heard }: Screen) {
  const places = new Map<number, InboundEvent[]>()
  for (const one of heard.toSorted((a, b) => a.version - b.version))
    if (one.ticket) places.set(one.ticketId, [...(places.get(one.ticketId) ?? []), one])
  return (ticketId: number, version: number) => {
    const known = places.get(ticketId) ?? []
    const before = known.filter(one => one.version < version).at(-1)
    const now = known.filter(one => one.version <= version).at(-1)
    return [before, now].flatMap(one => one?.ticket ?? [])
  }
}

test('whatever happens, every screen shows what it would fetch, and nobody hears of what is not theirs [LIVE-008, LIVE-015, LIVE-017, EVENT-007]', async () => {
  onTestFailed(() => console.error(`again with SEED=${SEED}`))
  const roll = dice(SEED)
  const [first, second, third] = queueIds as [number, number, number]
  const screens = [
    await sitDown(admin, true),
    await sitDown(await app.as('admin@balcao.test'), false),
    await sitDown(await hire('Ana', [first]), false),
    await sitDown(await hire('Bruno', [second, third]), false),
    await sitDown(await hire('Célia', [first, second]), true),
    await sitDown(await hire('Davi', [third], { allowNoQueue: 0 }), false),
    await sitDown(await hire('Eva', [first, third], { allowViewPendingTickets: false }), false),
  ]
  const people = screens.map(screen => screen.person)
  for (let i = 0; i < ACTIONS; i += 2) {
    await Promise.all([happen(roll, people), happen(roll, people)])
    if (i !== ACTIONS / 2 - 1) continue
    await settled(screens)
    const current = await allTickets()
    for (const screen of screens) await readTalks(screen, current)
  }
  await settled(screens)

  for (const { person, lists, talks } of screens) {
    for (const { list, loaded } of lists) {
      const again = await fetched(person, list)
      expect(loaded.tickets, `${person.user.name} ${list.status} ${list.sort}`).toEqual(again.tickets)
      expect({ ...loaded, marks: marksOf(loaded) }).toEqual({ ...again, marks: marksOf(again) })
    }
    for (const [ticketId, kept] of talks) {
      const { status, body } = await person.call(messages.list, { params: { ticketId } })
      if (status !== 200) continue
      expect(kept.messages.map(shown), `${person.user.name} reads ${ticketId}`).toEqual(
        body.messages.map(shown),
      )
    }
  }
  const placesAt = placesOf(screens[0]!)
  for (const { person, viewer, heard } of screens)
    for (const { ticketId, version } of heard)
      expect(
        placesAt(ticketId, version).some(place => canSee(viewer, place)),
        `${person.user.name} heard of ${ticketId} at ${version}`,
      ).toBe(true)
}, 90_000)
