import type { TicketStatus } from '@balcao/contract/tickets.ts'
import { customers } from './customers.ts'
import { type Dice, dice } from './dice.ts'
import { type Moves, movesOf } from './moves.ts'
import { startsBetween } from './rhythm.ts'
import { course, type DemoMessage } from './talk.ts'
import { briefTalks, type Sector, type Talk, talks } from './talks.ts'

export interface PastMessage {
  id: string
  externalId: string
  at: number
  fromMe: boolean
  body: string
  ack: number
  read: boolean
  /** Index in the team; null for the customer and the company itself. */
  author: number | null
}

export interface PastTicket {
  uuid: string
  status: TicketStatus
  customer: number
  /** Who has it, by place in the team. */
  owner: number | null
  sector: Sector | null
  source: number
  tag: string | null
  createdAt: number
  updatedAt: number
  closedAt: number | null
  waitingSince: number | null
  unread: number
  messages: PastMessage[]
  moves: Moves
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How many open conversations each of the team has: Helena, Marina, Caio, Bianca. */
const open = [2, 9, 7, 6]
const PENDING = 14
const CLOSED = 162
/** Before the last sixty days: of those only the first words are known, and how they went. */
const OLDER = 560
/** So many customers the shop began with. */
const FIRST_CUSTOMERS = 18

/** A year of a furniture shop up to `now`, oldest first: the same story on every machine. */
export function past(now: number, team: string[]): PastTicket[] {
  const chance = dice(20_240_612)
  const living = [
    ...Array.from({ length: PENDING }, () => ({ status: 'pending' as const, owner: null })),
    ...open.flatMap((many, owner) =>
      Array.from({ length: many }, () => ({ status: 'open' as const, owner })),
    ),
  ]
  const lately = { from: now - 60 * DAY, until: now - 6 * HOUR, many: CLOSED }
  const closed = startsBetween(chance, lately, now).map((start, place) =>
    closedTicket(chance, team, place % customers.length, start, chance.pick(talks)),
  )
  // Whoever waits or talks now last had a conversation weeks ago: no contact has two at once.
  const today = living.map(({ status, owner }, place) => {
    const customer = (place + 42) % customers.length
    return owner === null
      ? pendingTicket(chance, customer, now, place)
      : openTicket(chance, team, customer, owner, now, status)
  })
  const failed = today.find(({ owner, messages }) => owner === 1 && messages.at(-1)!.author === 1)
  if (failed) failed.messages.at(-1)!.ack = 0
  return [...olderTickets(now, team), ...closed, ...today].sort((a, b) => a.createdAt - b.createdAt)
}

/** Ten months of short conversations, with ever more customers. */
function olderTickets(now: number, team: string[]): PastTicket[] {
  const chance = dice(20_231_124)
  const span = { from: now - 365 * DAY, until: now - 60 * DAY, many: OLDER }
  let next = 0
  return startsBetween(chance, span, now).map((start, place) => {
    const known = FIRST_CUSTOMERS + ((customers.length - FIRST_CUSTOMERS) * place) / OLDER
    const customer = next < known ? next : 0
    next = customer + 1
    return closedTicket(chance, team, customer, start, chance.pick(briefTalks))
  })
}

function closedTicket(chance: Dice, team: string[], customer: number, start: number, talk: Talk): PastTicket {
  const owner = chance.pick([0, 1, 1, 1, 2, 2, 3, 3])
  const lines = courseOf(chance, team, talk, customer, owner)
  const messages = lines.map(line => messageOf(chance, line, start, owner, chance.chance(0.85) ? 4 : 3))
  // what a word settled is left open for a while, in case that more comes
  const left = talk.lines.length < 4 ? chance.between(10, 60) : chance.between(1, 12)
  const closedAt = messages.at(-1)!.at + left * MINUTE
  return ticketOf(chance, { status: 'closed', customer, owner, talk, messages, closedAt })
}

function openTicket(
  chance: Dice,
  team: string[],
  customer: number,
  owner: number,
  now: number,
  status: TicketStatus,
): PastTicket {
  const talk = chance.pick(talks)
  const whole = courseOf(chance, team, talk, customer, owner)
  const first = whole.findIndex(line => line.fromMe && !line.byCompany)
  const lines = whole.slice(0, chance.between(first + 1, whole.length))
  const ends = now - chance.pick([3, 8, 14, 25, 50, 110, 240, 700, 1_300]) * MINUTE
  const start = ends - lines.at(-1)!.after
  const unread = chance.chance(0.65)
  const messages = lines.map((line, place) => {
    const answered = lines.slice(place + 1).some(later => !later.fromMe)
    const message = messageOf(chance, line, start, owner, answered ? 4 : chance.pick([2, 3, 3, 4]))
    const ours = lines.slice(place).some(later => later.fromMe)
    return { ...message, read: ours || !unread }
  })
  return ticketOf(chance, { status, customer, owner, talk, messages, closedAt: null })
}

function pendingTicket(chance: Dice, customer: number, now: number, place: number): PastTicket {
  const talk = talks[(place * 5) % talks.length]!
  const menu = place % 4 !== 0
  const whole = course(chance, talk, { customer: customers[customer]!, attendant: '', menu, outgoing: false })
  const lines = whole.slice(
    0,
    whole.findIndex(line => line.fromMe && !line.byCompany),
  )
  const ends = now - [2, 4, 7, 12, 19, 31, 48, 75, 120, 180, 400, 900, 1_560, 5][place]! * MINUTE
  const start = ends - lines.at(-1)!.after
  const messages = lines.map(line => ({ ...messageOf(chance, line, start, null, 4), read: line.fromMe }))
  return ticketOf(chance, { status: 'pending', customer, owner: null, talk, messages, closedAt: null })
}

const courseOf = (chance: Dice, team: string[], talk: Talk, customer: number, owner: number): DemoMessage[] =>
  course(chance, talk, {
    customer: customers[customer]!,
    attendant: team[owner]!,
    menu: chance.chance(0.4),
    outgoing: chance.chance(0.08),
  })

const messageOf = (
  chance: Dice,
  { fromMe, byCompany, body, after }: DemoMessage,
  start: number,
  owner: number | null,
  ack: number,
): PastMessage => ({
  id: chance.uuid(),
  externalId: `3EB0${chance.hex(18).toUpperCase()}`,
  at: start + after,
  fromMe,
  body,
  ack: fromMe ? ack : 4,
  read: true,
  author: fromMe && !byCompany ? owner : null,
})

interface Plot extends Pick<PastTicket, 'status' | 'customer' | 'owner' | 'messages' | 'closedAt'> {
  talk: Talk
}

/** The row of the list follows from the messages. */
function ticketOf(chance: Dice, { talk, ...plot }: Plot): PastTicket {
  const { messages, owner, closedAt } = plot
  const moves = movesOf(chance, plot, talk.sector)
  const lastAnswer = messages.findLastIndex(message => message.author !== null)
  const waiting = messages.slice(lastAnswer + 1).find(message => !message.fromMe)
  return {
    ...plot,
    uuid: chance.uuid(),
    sector: moves.at(-1)!.to.sector,
    source: messages[0]!.fromMe ? 1 : 0,
    tag: owner === null ? null : talk.tag,
    createdAt: messages[0]!.at,
    updatedAt: Math.max(messages.at(-1)!.at, moves.at(-1)!.at),
    waitingSince: closedAt === null ? (waiting?.at ?? null) : null,
    unread: messages.filter(message => !message.read).length,
    moves,
  }
}
