import { describe, expect, test } from 'vitest'
import { defaultFlags, type Flags, type Viewer } from './permissions.rules.ts'
import {
  applyPush,
  belongsInList,
  canRead,
  canSee,
  isAmong,
  isNewer,
  LAST_WORDS,
  type LoadedTickets,
  lastWordsOf,
  NO_QUEUE,
  queueForAccept,
  type TicketList,
} from './tickets.rules.ts'
import type { Ticket, TicketPush } from './tickets.ts'

const ME = 1
const SOMEBODY = 2
const SALES = 10
const SUPPORT = 20

const viewer = (more: Partial<Viewer> = {}, flags: Partial<Flags> = {}): Viewer => ({
  id: ME,
  name: 'Marina',
  companyId: 1,
  profile: 'user',
  master: 0,
  payPanelAccess: false,
  queueIds: [SALES],
  signMessage: false,
  authorization: { ...defaultFlags, ...flags },
  ...more,
})
const admin = viewer({ id: 9, profile: 'admin' })
const ticket = (id: number, more: Partial<Ticket> = {}) =>
  ({
    id,
    status: 'pending',
    queueId: SALES,
    userId: null,
    unreadMessages: 1,
    version: 1,
    waitingSince: null,
    withBot: false,
    updatedAt: `2026-03-02T12:00:${String(id).padStart(2, '0')}.000Z`,
    ...more,
  }) as Ticket

describe('who sees a ticket', () => {
  test('admins see all, attendants those of their queues and their own wherever they stand [OP-33]', () => {
    expect(canSee(admin, ticket(1, { queueId: SUPPORT }))).toBe(true)
    expect(canSee(viewer(), ticket(1))).toBe(true)
    expect(canSee(viewer(), ticket(1, { queueId: SUPPORT }))).toBe(false)
    expect(canSee(viewer(), ticket(1, { queueId: SUPPORT, userId: ME }))).toBe(true)
    expect(canSee(viewer(), ticket(1, { queueId: SUPPORT, userId: SOMEBODY }))).toBe(false)
  })

  test('who sees only own customers sees those, and own tickets', () => {
    const limited = viewer({}, { onlyOwnContacts: true })
    const of = (ownerId: number | null, more: Partial<Ticket> = {}) =>
      ticket(1, { contact: { ownerId } as Ticket['contact'], ...more })
    expect([of(ME), of(SOMEBODY), of(null)].map(one => canSee(limited, one))).toEqual([true, false, false])
    expect(canSee(limited, of(ME, { queueId: SUPPORT }))).toBe(false)
    expect(canSee(limited, of(SOMEBODY, { userId: ME, status: 'open' }))).toBe(true)
    expect(canSee({ ...limited, profile: 'admin' }, of(SOMEBODY))).toBe(true)
  })

  test('one without a queue is seen by those who may take such [LIVE-008]', () => {
    const queueless = ticket(1, { queueId: null })
    expect(canSee(viewer(), queueless)).toBe(true)
    expect(canSee(viewer({}, { allowNoQueue: 0 }), queueless)).toBe(false)
  })

  test('a waiting one is seen but not read by those who may not look into it [TSTATE-036]', () => {
    const closed = viewer({}, { allowViewPendingTickets: false })
    expect([canSee(closed, ticket(1)), canRead(closed, ticket(1))]).toEqual([true, false])
    expect(canRead(closed, ticket(1, { status: 'open' }))).toBe(true)
    expect(canRead({ ...closed, profile: 'admin' }, ticket(1))).toBe(true)
  })
})

describe('a list', () => {
  const open: TicketList = { status: 'open', showAll: false }

  test('of open ones holds my own; those of colleagues only with showAll, and only for admins [TICKET-010]', () => {
    const theirs = ticket(1, { status: 'open', userId: SOMEBODY })
    expect(belongsInList(viewer(), open, { ...theirs, userId: ME })).toBe(true)
    expect(belongsInList(viewer(), open, theirs)).toBe(false)
    expect(belongsInList(viewer(), { ...open, showAll: true }, theirs)).toBe(false)
    expect(belongsInList(admin, open, theirs)).toBe(false)
    expect(belongsInList(admin, { ...open, showAll: true }, theirs)).toBe(true)
    expect(belongsInList(viewer(), { ...open, search: true }, theirs)).toBe(true)
  })

  test('of chosen queues is never more than the queues one has', () => {
    const pending: TicketList = { status: 'pending', showAll: false, queueIds: [SALES, SUPPORT] }
    expect(belongsInList(viewer(), pending, ticket(1))).toBe(true)
    expect(belongsInList(viewer(), pending, ticket(1, { queueId: SUPPORT }))).toBe(false)
    expect(belongsInList(viewer(), { ...pending, queueIds: [] }, ticket(1))).toBe(false)
  })

  test('keeps my own ticket of a foreign queue while no queues are chosen; chosen ones mean exactly those', () => {
    const moved = ticket(1, { status: 'open', userId: ME, queueId: SUPPORT })
    expect(belongsInList(viewer(), open, moved)).toBe(true)
    expect(belongsInList(viewer(), { ...open, queueIds: [SALES] }, moved)).toBe(false)
    expect(belongsInList(viewer(), { ...open, queueIds: [SUPPORT] }, moved)).toBe(true)
  })

  test('of chosen queues holds tickets without a queue only when those are chosen too', () => {
    const queueless = ticket(1, { queueId: null })
    const of = (queueIds: number[] | undefined, who = viewer()) =>
      belongsInList(who, { status: 'pending', showAll: false, queueIds }, queueless)
    expect([of(undefined), of([SALES]), of([NO_QUEUE]), of([SALES, NO_QUEUE])]).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect(of([NO_QUEUE], viewer({}, { allowNoQueue: 0 }))).toBe(false)
  })
})

describe('a push', () => {
  const waiting: TicketList = { status: 'pending', showAll: false }
  const loaded = (...tickets: Ticket[]): LoadedTickets => ({ tickets, hasMore: false, count: tickets.length })
  const ids = ({ tickets, count }: LoadedTickets) => [tickets.map(({ id }) => id), count]
  type Before = Extract<TicketPush, { action: 'update' }>['before']
  const update = (changed: Ticket, before?: Before): TicketPush => ({
    action: 'update',
    ticket: changed,
    before,
  })
  const removed = (gone: Ticket): TicketPush => ({ action: 'delete', ticketId: gone.id, place: gone })
  const after = (before: LoadedTickets, push: TicketPush) => applyPush(before, push, viewer(), waiting)

  test('brings a ticket to its place and counts it [LIVE-005, LIVE-017]', () => {
    expect(ids(after(loaded(ticket(3), ticket(1)), update(ticket(2), null)))).toEqual([[3, 2, 1], 3])
  })

  test('moves a known ticket up without counting it again [LIVE-005, LIVE-009]', () => {
    const moved = ticket(1, { updatedAt: '2026-03-02T13:00:00.000Z' })
    expect(ids(after(loaded(ticket(3), ticket(1)), update(moved)))).toEqual([[1, 3], 2])
  })

  test('takes away what no longer belongs: accepted, handed to a foreign queue, deleted [LIVE-002, LIVE-003]', () => {
    for (const gone of [
      update(ticket(1, { status: 'open', userId: SOMEBODY })),
      update(ticket(1, { queueId: SUPPORT })),
      removed(ticket(1)),
    ])
      expect(ids(after(loaded(ticket(3), ticket(1)), gone))).toEqual([[3], 1])
  })

  test('of a ticket that never was in the list changes nothing', () => {
    const before = loaded(ticket(3))
    expect(after(before, update(ticket(1, { queueId: SUPPORT })))).toEqual(before)
    expect(after(before, removed(ticket(1, { queueId: SUPPORT })))).toEqual(before)
  })

  test('older than the last loaded row is counted and waits for its page', () => {
    const page = { ...loaded(ticket(9), ticket(5)), hasMore: true, count: 7 }
    expect(ids(after(page, update(ticket(2), null)))).toEqual([[9, 5], 8])
    expect(ids(after(page, update(ticket(7), null)))).toEqual([[9, 7, 5], 8])
  })

  test('of a ticket beyond what is loaded moves the count as the ticket moves, and only then', () => {
    const page = { ...loaded(ticket(9), ticket(5)), hasMore: true, count: 7 }
    const elsewhere = ticket(2, { status: 'open', userId: SOMEBODY })
    expect(ids(after(page, update(ticket(2))))).toEqual([[9, 5], 7])
    expect(ids(after(page, update(elsewhere, ticket(2))))).toEqual([[9, 5], 6])
    expect(ids(after(page, removed(ticket(2))))).toEqual([[9, 5], 6])
  })

  test('keeps a list that is sorted by who waits longest in its order, and an answered one behind what is loaded leaves', () => {
    const at = (minute: number) => `2026-03-02T11:0${minute}:00.000Z`
    const list: TicketList = { ...waiting, sort: 'waiting' }
    const since = (id: number, minute: number | null) =>
      ticket(id, { waitingSince: minute === null ? null : at(minute) })
    const page = loaded(since(4, 1), since(9, 3), since(5, null))
    const hear = (before: LoadedTickets, push: TicketPush) => ids(applyPush(before, push, viewer(), list))
    expect(hear(page, update(since(7, 2), null))).toEqual([[4, 7, 9, 5], 4])
    expect(hear(page, update(since(4, null)))).toEqual([[9, 4, 5], 3])
    expect(hear({ ...page, hasMore: true }, update(since(9, null)))).toEqual([[4, 5], 3])
  })

  test('that it was read leaves the row as the server has it [LIVE-004]', () => {
    const read = after(loaded(ticket(1)), { action: 'updateUnread', ticketId: 1, version: 2 })
    expect(read.tickets).toEqual([ticket(1, { unreadMessages: 0, version: 2 })])
  })

  test('that is older than what was seen is no news, and nothing revives a deleted ticket', () => {
    const seen = new Map<number, number>()
    expect(isNewer(seen, update(ticket(1, { version: 5 })))).toBe(true)
    expect(isNewer(seen, update(ticket(1, { version: 4 })))).toBe(false)
    expect(isNewer(seen, { action: 'updateUnread', ticketId: 1, version: 6 })).toBe(true)
    expect(isNewer(seen, update(ticket(1, { version: 5 })))).toBe(false)
    expect(isNewer(seen, { action: 'delete', ticketId: 1, place: ticket(1) })).toBe(true)
    expect(isNewer(seen, update(ticket(1, { version: 99 })))).toBe(false)
  })
})

test('accepting asks for a queue only when neither the ticket nor its taker says which [TSTATE-003, TSTATE-004]', () => {
  expect(queueForAccept(viewer(), ticket(1, { queueId: SUPPORT }))).toBe(SUPPORT)
  expect(queueForAccept(viewer(), ticket(1, { queueId: null }))).toBe(SALES)
  expect(queueForAccept(viewer({ queueIds: [SALES, SUPPORT] }), ticket(1, { queueId: null }))).toBeNull()
})

test('the last words of a long message end between characters, as PostgreSQL counts them', () => {
  const short = 'a'.repeat(LAST_WORDS)
  expect(lastWordsOf(short)).toBe(short)
  expect(lastWordsOf(`${short}b`)).toBe(short)
  expect(lastWordsOf(`${short.slice(1)}😀b`)).toBe(`${short.slice(1)}😀`)
  expect(lastWordsOf('😀'.repeat(2 * LAST_WORDS))).toBe('😀'.repeat(LAST_WORDS))
})

test('a list that is narrowed holds what nobody has read, what failed, or what is both', () => {
  const [unread, failed, both] = [
    ticket(1, { failedMessages: 0 }),
    ticket(2, { unreadMessages: 0, failedMessages: 2 }),
    ticket(3, { failedMessages: 1 }),
  ]
  const among = (list: Pick<TicketList, 'unread' | 'failed'>) =>
    [unread, failed, both].filter(one => isAmong(list, one, 0)).map(({ id }) => id)
  expect(among({})).toEqual([1, 2, 3])
  expect(among({ unread: true })).toEqual([1, 3])
  expect(among({ failed: true })).toEqual([2, 3])
  expect(among({ unread: true, failed: true })).toEqual([3])
  const led = ticket(4, { withBot: true })
  const amongBots = (bot: TicketList['bot']) =>
    [unread, led].filter(one => isAmong({ bot }, one, 0)).map(({ id }) => id)
  expect([amongBots('only'), amongBots('without'), amongBots(undefined)]).toEqual([[4], [1], [1, 4]])
})
