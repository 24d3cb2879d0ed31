import { type Message, type MessagePush, messageChannel, messages } from '@balcao/contract/messages.ts'
import { viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { belongsInList, newestFirst } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, type TicketPush, ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { QueryObserver } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { messageOn, ticketOf, uuid } from '../../../testing/counter.ts'
import { marina } from '../../../testing/people.ts'

const call = vi.hoisted(() => vi.fn())
vi.mock('../../platform/call.ts', async original => ({
  ...(await original()),
  call,
  token: { read: () => 'kept' },
}))

/** The socket of the page, driven by the test. */
const line = vi.hoisted(() => {
  const handlers = new Map<string, (...given: unknown[]) => void>()
  return {
    recovered: false,
    active: true,
    connected: true,
    on: (name: string, handle: () => void) => handlers.set(name, handle),
    onAny: (handle: (...given: unknown[]) => void) => handlers.set('any', handle),
    emit() {},
    disconnect() {},
    receive: (name: string, ...given: unknown[]) => handlers.get(name)?.(...given),
  }
})
vi.mock('socket.io-client', () => ({ io: () => line }))

vi.stubGlobal('localStorage', { getItem: () => null, setItem() {} })
vi.stubGlobal('sessionStorage', { getItem: () => null })
vi.stubGlobal('window', { addEventListener() {}, removeEventListener() {} })
vi.stubGlobal('document', { documentElement: {} })
const { ApiError } = await import('../../platform/call.ts')
const { connect } = await import('../../platform/live.ts')
const { queryClient } = await import('../../platform/query.ts')
const { listOptions, stable, ticketOptions } = await import('../tickets/tickets.api.ts')
const { followTickets } = await import('../tickets/tickets.live.ts')
const { fetchAhead, loadOlder, threadOptions } = await import('./messages.api.ts')
const { followMessages } = await import('./messages.live.ts')

const viewer = viewerFrom(marina)
const PAGE = 4
const TICKETS = [41, 42, 43]
const LISTS = [
  stable({ status: 'open' as const, showAll: false }),
  stable({ status: 'pending' as const, showAll: false }),
]

/** A server with three conversations, which pushes its changes over a socket that can be cut. */
class Server {
  all = new Map<number, Ticket>(
    TICKETS.map(id => [
      id,
      ticketOf(
        `Cliente ${id}`,
        { id, uuid: uuid(id), contactId: id, contact: { id, name: `Cliente ${id}` } },
        marina,
      ),
    ]),
  )
  sent: Message[] = []
  places = 0
  moment = Date.parse('2026-11-20T12:00:00Z')
  cut = false
  missed: [string, unknown][] = []
  asked: { answer(): void; fail(): void }[] = []

  push(name: string, payload: unknown) {
    const channel = name.replace('{companyId}', String(marina.companyId))
    if (this.cut) this.missed.push([channel, payload])
    else line.receive('any', channel, payload)
  }
  change(id: number, to: Partial<Ticket>): Ticket {
    this.moment += 1000
    const before = this.all.get(id)!
    const after = {
      ...before,
      version: before.version + 1,
      updatedAt: new Date(this.moment).toISOString(),
      ...to,
    }
    this.all.set(id, after)
    return after
  }
  receive(id: number) {
    const place = ++this.places
    const ticket = this.change(id, {
      lastMessage: `${place}`,
      unreadMessages: this.all.get(id)!.unreadMessages + 1,
    })
    const message = messageOn(ticket, place, { body: `${place}` })
    this.sent.push(message)
    this.push(messageChannel.name, this.pushOf('create', message, ticket))
  }
  edits(at: number) {
    const known = this.sent[at % Math.max(1, this.sent.length)]
    if (!known) return
    const message = { ...known, body: `${known.body}!`, version: known.version + 1 }
    this.sent[this.sent.indexOf(known)] = message
    this.push(messageChannel.name, this.pushOf('update', message, this.all.get(known.ticketId)!))
  }
  pushOf = (action: 'create' | 'update', message: Message, ticket: Ticket): MessagePush => ({
    action,
    message,
    ticket,
    contact: ticket.contact,
  })
  moves(id: number, status: Ticket['status']) {
    const { status: was, queueId, userId } = this.all.get(id)!
    const mine = status !== 'pending'
    const ticket = this.change(id, {
      status,
      userId: mine ? marina.id : null,
      user: mine ? { id: marina.id, name: marina.name } : null,
    })
    const push: TicketPush = { action: 'update', ticket, before: { status: was, queueId, userId } }
    this.push(ticketChannel.name, push)
  }
  back(recovered: boolean) {
    if (!this.cut) return
    this.cut = false
    line.recovered = recovered
    line.receive('connect')
    const missed = this.missed.splice(0)
    if (recovered) for (const [name, payload] of missed) line.receive('any', name, payload)
  }

  list(status: Ticket['status']) {
    const found = [...this.all.values()]
      .filter(ticket => belongsInList(viewer, { status, showAll: false }, ticket))
      .sort(newestFirst)
    return { tickets: found, hasMore: false, count: found.length }
  }
  messages(id: number, before?: string) {
    const all = this.sent.filter(({ ticketId }) => ticketId === id)
    const end = before ? all.findIndex(one => one.id === before) : all.length
    const from = Math.max(0, end - PAGE)
    return { messages: all.slice(from, end), hasMore: from > 0, hasNewer: false, ticket: this.all.get(id)! }
  }
  read(route: unknown, given: { params: { ticketId: number }; query?: Record<string, string> }): unknown {
    if (route === tickets.list) return this.list(given.query!.status as Ticket['status'])
    if (route === tickets.show) return this.all.get(given.params.ticketId)
    if (route === messages.list) return this.messages(given.params.ticketId, given.query?.before)
    throw new Error('asked for something else')
  }
  /** The answer is read at the request or only at the response, as the scheduler chooses. */
  call(route: unknown, given: Parameters<Server['read']>[1], early: boolean) {
    const read = early ? this.read(route, given) : undefined
    return new Promise((resolve, reject) => {
      this.asked.push({
        answer: () => resolve(read ?? this.read(route, given)),
        fail: () => reject(new ApiError(0, { offline: true })),
      })
    })
  }
}

const inShort = ({ id, version, ...one }: Ticket | Message) =>
  `${id} ${version} ${'status' in one ? one.lastMessage : one.body}`

beforeEach(() => void vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const which = fc.constantFrom(...TICKETS)
const any = fc.nat(20)
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('says' as const), id: which }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('edits' as const), at: any }) },
    fc.record({
      do: fc.constant('moves' as const),
      id: which,
      to: fc.constantFrom('open', 'pending', 'closed'),
    }),
    { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), at: any }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), at: any }) },
    fc.record({ do: fc.constant('cut' as const) }),
    { weight: 2, arbitrary: fc.record({ do: fc.constant('back' as const), recovered: fc.boolean() }) },
    fc.record({ do: fc.constant('opens' as const), id: which }),
    fc.record({ do: fc.constant('lists' as const) }),
    fc.record({ do: fc.constant('older' as const), id: which }),
    fc.record({ do: fc.constant('points' as const), id: which }),
    fc.record({ do: fc.constant('waits' as const), ms: fc.constantFrom(10, 1_500, 6_000) }),
  ),
  { maxLength: 40, size: 'max' },
)

/** Until no request is pending, including those made by the page itself. */
async function answerAll(server: Server) {
  for (let quiet = 0; quiet < 3; quiet++) {
    if (server.asked.length > 0) quiet = 0
    for (const one of server.asked.splice(0)) one.answer()
    await vi.advanceTimersByTimeAsync(6_000)
  }
}

test('after any order of outages, pushes and refetches what is cached is what a fetch would bring', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), fc.boolean(), async (all, early, isWarm) => {
      const server = new Server()
      call.mockImplementation((route, given) => server.call(route, given, early))
      const stops = [
        followTickets(viewer, { transferred() {}, removed() {}, arrived() {} }),
        followMessages(viewer),
        connect(marina.companyId),
      ]
      await vi.dynamicImportSettled()
      line.recovered = false
      line.receive('connect')
      const look = (observer: { subscribe(listener: () => void): () => void }) => observer.subscribe(() => {})
      const lists = (shown: typeof LISTS) =>
        shown.map(list => look(new QueryObserver(queryClient, listOptions(list, viewer))))
      const conversation = (id: number) => [
        look(new QueryObserver(queryClient, threadOptions(id, viewer))),
        look(new QueryObserver(queryClient, ticketOptions(id))),
      ]
      let looked: (() => void)[] = []
      let board = lists(LISTS)
      let end: (() => void)[] = []
      const settle = () => vi.advanceTimersByTimeAsync(2)
      try {
        if (isWarm) {
          for (const id of TICKETS) server.receive(id)
          looked = TICKETS.flatMap(conversation)
          await answerAll(server)
          for (const leave of looked) leave()
        }
        for (const step of all) {
          await settle()
          if (step.do === 'says') server.receive(step.id)
          if (step.do === 'edits') server.edits(step.at)
          if (step.do === 'moves') server.moves(step.id, step.to as Ticket['status'])
          if (step.do === 'answer' || step.do === 'fail')
            server.asked.splice(step.at % Math.max(1, server.asked.length), 1)[0]?.[step.do]()
          if (step.do === 'cut') server.cut = true
          if (step.do === 'back') server.back(step.recovered)
          if (step.do === 'waits') await vi.advanceTimersByTimeAsync(step.ms)
          if (step.do === 'older') void loadOlder(step.id).catch(() => {})
          if (step.do === 'points') void fetchAhead(step.id, viewer)
          if (step.do === 'opens') {
            for (const leave of looked) leave()
            looked = conversation(step.id)
          }
          if (step.do === 'lists') {
            for (const leave of board) leave()
            board = lists(board.length === 2 ? LISTS.slice(0, 1) : LISTS)
          }
        }
        await settle()
        server.back(false)
        end = [...lists(LISTS), ...TICKETS.flatMap(conversation)]
        await answerAll(server)
        for (const list of LISTS) {
          const { tickets: held, count } = queryClient.getQueryData(listOptions(list, viewer).queryKey)!
          const { tickets: there } = server.list(list.status!)
          expect([count, ...held.map(inShort)]).toEqual([there.length, ...there.map(inShort)])
        }
        for (const id of TICKETS) {
          const thread = queryClient.getQueryData(threadOptions(id, viewer).queryKey)!
          const sent = server.sent.filter(({ ticketId }) => ticketId === id)
          expect(thread.messages.map(inShort)).toEqual(
            sent.slice(sent.length - thread.messages.length).map(inShort),
          )
          expect(thread.hasMore).toBe(thread.messages.length < sent.length)
          expect(inShort(queryClient.getQueryData(ticketOptions(id).queryKey)!)).toBe(
            inShort(server.all.get(id)!),
          )
        }
      } finally {
        for (const stop of [...stops, ...looked, ...board, ...end]) stop()
        queryClient.clear()
      }
    }),
    { numRuns: 300 },
  )
})
