import { randomUUID } from 'node:crypto'
import { connections } from '@balcao/contract/connections.ts'
import { tags } from '@balcao/contract/tags.ts'
import fc from 'fast-check'
import { contacts } from '../src/features/contacts/contacts.table.ts'
import { messages } from '../src/features/messages/messages.table.ts'
import { botSpells } from '../src/features/reports/reports.table.ts'
import { ticketHistory, tickets, ticketTags } from '../src/features/tickets/tickets.table.ts'
import { externalIdOf } from '../src/platform/external.ts'
import type { Past, PastLine } from './recount.ts'
import type { Person, TestApp } from './test-app.ts'

type Place = { status: 'pending' | 'open' | 'closed'; userId: number | null; queueId: number | null }

const KINDS = ['accepted', 'returned', 'transferred', 'resolved', 'reopened', 'moved', 'undone'] as const
export const storyArb = fc.record({
  start: fc.integer({ min: 0, max: 300 * 24 * 60 }),
  isOurs: fc.boolean(),
  wants: fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS, 'accepted', 'accepted', 'returned', 'transferred', 'resolved'),
      // often in the same second, and in the same millisecond
      seconds: fc.oneof(fc.nat(1), fc.nat(40_000)),
      beside: fc.constantFrom(0, 250, 999),
      who: fc.nat(2),
      where: fc.nat(2),
    }),
    { maxLength: 9 },
  ),
  says: fc.array(
    fc.record({
      seconds: fc.integer({ min: 0, max: 90_000 }),
      source: fc.constantFrom(
        'contact' as const,
        'person' as const,
        'phone' as const,
        'bot' as const,
        'flow' as const,
      ),
    }),
    { maxLength: 6 },
  ),
  leads: fc.array(
    fc.record({ seconds: fc.integer({ min: 0, max: 50_000 }), lasting: fc.integer({ min: 1, max: 9_000 }) }),
    { maxLength: 2 },
  ),
  tags: fc.subarray([0, 1, 2]),
})
export type Story = typeof storyArb extends fc.Arbitrary<infer One> ? One : never

/** Possible events of a ticket in this state; null where it is impossible. */
function next(
  kind: (typeof KINDS)[number],
  at: Place,
  to: Omit<Place, 'status'>,
  somebody: number,
): Place | null {
  if (kind === 'resolved') return at.status === 'closed' ? null : { ...at, status: 'closed' }
  if (kind === 'returned')
    return at.status === 'closed' ? null : { status: 'pending', userId: null, queueId: null }
  if (kind === 'transferred') return { ...to, status: to.userId === null ? 'pending' : 'open' }
  if (kind === 'moved') return { ...at, queueId: to.queueId }
  return at.status === 'open' ? null : { status: 'open', userId: to.userId ?? somebody, queueId: at.queueId }
}

/** The past of a ticket among these users, queues and connections. */
export function pastOf(
  { start, wants, says, leads, tags }: Story,
  { users, queues, tagIds, whatsappIds }: TicketWorld,
): Past {
  let clock = Date.parse('2024-01-05T03:30:00.000Z') + start * 60_000
  const began = clock
  const after = (seconds: number, beside: number) => new Date(began + seconds * 1_000 + beside).toISOString()
  const createdAt = after(0, 0)
  const begins: Place = start % 4 === 0 ? { status: 'open', userId: users[0]!, queueId: null } : NEW
  const lines: PastLine[] = [line('opened', null, begins, createdAt)]
  let [at, before]: [Place, Place | null] = [begins, null]
  for (const { kind, seconds, beside, who, where } of wants) {
    const to = { userId: users[who] ?? null, queueId: queues[where] ?? null }
    const then = kind === 'undone' ? before : next(kind, at, to, users[0]!)
    if (!then) continue
    clock += seconds * 1_000 + beside
    lines.push(line(kind, at, then, new Date(clock).toISOString()))
    before = kind === 'undone' || kind === 'moved' ? null : at
    at = then
  }
  return {
    whatsappId: whatsappIds[start % whatsappIds.length]!,
    ...{ createdAt, lines, tagIds: tags.map(place => tagIds[place]!) },
    said: says
      .map(({ seconds, source }) => ({ at: after(seconds, 500), source }))
      .sort((one, other) => one.at.localeCompare(other.at)),
    spells: leads.map(({ seconds, lasting }) => ({
      beganAt: after(seconds, 0),
      endedAt: after(seconds + lasting, 700),
    })),
  }
}

export interface TicketWorld {
  users: number[]
  queues: number[]
  tagIds: number[]
  whatsappIds: number[]
}

const NEW: Place = { status: 'pending', userId: null, queueId: null }
const line = (what: PastLine['what'], from: Place | null, to: Place, at: string): PastLine => ({
  what,
  fromStatus: from?.status ?? null,
  fromUserId: from?.userId ?? null,
  fromQueueId: from?.queueId ?? null,
  toStatus: to.status,
  toUserId: to.userId,
  toQueueId: to.queueId,
  at,
})

/** So many rows of the widest table that a statement has fewer parameters than PostgreSQL takes. */
const AT_ONCE = 2_000

/** Answers the ids of the tickets. */
export const insertPasts = (app: TestApp, companyId: number, past: Past[]): Promise<number[]> =>
  app.platform.scopes.platform().transaction(async sql => {
    const ids: number[] = []
    const number = `5500${companyId}${Math.floor(performance.now() * 1_000)}`
    const [contact] = await sql.insert(contacts).values({ companyId, name: 'Passado', number }).returning()
    const contactId = contact!.id
    for (const some of inParts(past)) {
      const rows = await sql
        .insert(tickets)
        .values(some.map(one => ticketOf(companyId, contactId, one)))
        .returning({ id: tickets.id })
      ids.push(...rows.map(({ id }) => id))
    }
    const of = <Row>(rowsIn: (one: Past, ticketId: number) => Row[]) =>
      inParts(past.flatMap((one, place) => rowsIn(one, ids[place]!)))
    const own = (ticketId: number) => ({ companyId, ticketId })
    for (const rows of of(({ tagIds }, id) => tagIds.map(tagId => ({ ...own(id), tagId }))))
      await sql.insert(ticketTags).values(rows)
    for (const rows of of(({ spells }, id) => spells.map(one => ({ ...own(id), ...one }))))
      await sql.insert(botSpells).values(rows)
    for (const rows of of(({ said, whatsappId }, id) =>
      said.map(({ at, source }) => ({
        ...{ ...own(id), id: randomUUID(), contactId, whatsappId, externalId: externalIdOf(randomUUID()) },
        ...{ fromMe: source !== 'contact', source, body: 'Oi', createdAt: at },
      })),
    ))
      await sql.insert(messages).values(rows)
    for (const rows of of(({ lines }, id) => lines.map(one => ({ ...own(id), ...one }))))
      await sql.insert(ticketHistory).values(rows)
    return ids
  })

const inParts = <Row>(rows: Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / AT_ONCE) }, (_, part) =>
    rows.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  )

function ticketOf(companyId: number, contactId: number, { whatsappId, createdAt, lines }: Past) {
  const { toStatus, toUserId, toQueueId, at } = lines.at(-1)!
  return {
    ...{ companyId, uuid: randomUUID(), protocol: randomUUID(), contactId, whatsappId },
    ...{ status: toStatus, userId: toUserId, queueId: toQueueId, parallel: true, createdAt },
    closedAt: toStatus === 'closed' ? at : null,
  }
}

/** Among whom and what the tickets of a company live. */
export const around = async ({ user, ...who }: Person, users: number[]): Promise<TicketWorld> => {
  const add = () =>
    who.get(tags.create, {
      body: { name: `Recontagem ${randomUUID()}`.slice(0, 40), color: '#1273de', kanban: 0 },
    })
  const made = [await add(), await add(), await add()]
  const whatsappIds = (await who.get(connections.list)).map(({ id }) => id)
  return {
    ...{ users, queues: user.queues.map(({ id }) => id), whatsappIds },
    tagIds: made.map(({ id }) => id),
  }
}

/** A week with a pause at noon, and a Sunday from midnight on, when clocks are changed. */
export const WEEK = [
  ...[1, 2, 3, 4, 5].flatMap(weekday => [
    { weekday, opens: 8 * 60, closes: 12 * 60 },
    { weekday, opens: 13 * 60 + 30, closes: 18 * 60 },
  ]),
  { weekday: 0, opens: 0, closes: 6 * 60 },
  { weekday: 6, opens: 12 * 60, closes: 24 * 60 },
]
export const HOLIDAYS = ['2024-03-29', '2024-07-04', '2024-07-05', '2024-09-02']
