import type { AssignmentMode, WaitingReason } from '@balcao/contract/assignment.ts'

/** A member of the queue who is available. */
export interface Candidate {
  id: number
  open: number
  /** Sees only own customers: gets those, and who has no owner. */
  limited: boolean
}

/** A ticket that waits, with who comes before the others. */
export interface Waiting {
  id: number
  ownerId: number | null
  /** Who attended the contact last, where the queue asks. */
  lastId: number | null
}

export interface Dealing {
  mode: Exclude<AssignmentMode, 'manual'>
  capacity: number | null
  ownerFirst: boolean
  /** Whose turn was the last. */
  lastUserId: number | null
}

export interface Dealt {
  picks: { ticketId: number; userId: number }[]
  lastUserId: number | null
  /** Why the others wait; null where there are none. */
  reason: WaitingReason | null
}

/**
 * Who gets which ticket, the longest waiting first. The owner comes first where the queue says so, then who attended the
 * contact last; one who is absent or full is passed, and the others get the ticket by the mode.
 */
export function deal(rules: Dealing, tickets: Waiting[], members: Candidate[]): Dealt {
  const open = new Map(members.map(({ id, open: count }) => [id, count]))
  const isFree = ({ id }: Candidate) => rules.capacity === null || open.get(id)! < rules.capacity
  const dealt: Dealt = { picks: [], lastUserId: rules.lastUserId, reason: null }
  for (const ticket of tickets) {
    const may = members.filter(one => !one.limited || ticket.ownerId === null || ticket.ownerId === one.id)
    const free = may.filter(isFree)
    const first = [rules.ownerFirst ? ticket.ownerId : null, ticket.lastId]
      .map(id => free.find(one => one.id === id))
      .find(one => one !== undefined)
    const next = first ?? (rules.mode === 'rotation' ? inTurn(free, dealt.lastUserId) : fewest(free, open))
    if (!next) {
      dealt.reason ??= may.length === 0 ? 'nobodyAvailable' : 'allFull'
      continue
    }
    if (!first) dealt.lastUserId = next.id
    open.set(next.id, open.get(next.id)! + 1)
    dealt.picks.push({ ticketId: ticket.id, userId: next.id })
  }
  return dealt
}

/** The next by id behind the last, from the beginning behind the end. */
function inTurn(free: Candidate[], lastUserId: number | null): Candidate | undefined {
  const ordered = free.toSorted((a, b) => a.id - b.id)
  return ordered.find(({ id }) => id > (lastUserId ?? 0)) ?? ordered[0]
}

const fewest = (free: Candidate[], open: Map<number, number>): Candidate | undefined =>
  free.toSorted((a, b) => open.get(a.id)! - open.get(b.id)! || a.id - b.id)[0]
