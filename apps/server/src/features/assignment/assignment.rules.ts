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
  /** With what they have now. */
  members: Candidate[]
}

/** Which tickets can be given to one of these members: all, none, or those without an owner and customers of these users. */
export function givable(
  members: Candidate[],
  capacity: number | null,
): 'all' | 'none' | { owners: number[] } {
  const free = members.filter(one => isFree(one, capacity))
  if (free.length === 0) return 'none'
  return free.every(({ limited }) => limited) ? { owners: free.map(({ id }) => id) } : 'all'
}

const isFree = ({ open }: Candidate, capacity: number | null) => capacity === null || open < capacity

const may = ({ limited, id }: Candidate, ownerId: number | null) =>
  !limited || ownerId === null || ownerId === id

/** Why a ticket waits though these members are present; null where one of them can have it. */
export function whyWaits(
  ownerId: number | null,
  { members, capacity }: { members: Candidate[]; capacity: number | null },
): WaitingReason | null {
  const those = members.filter(one => may(one, ownerId))
  if (those.length === 0) return 'nobodyAvailable'
  return those.some(one => isFree(one, capacity)) ? null : 'allFull'
}

/**
 * Who gets which ticket, the longest waiting first. The owner comes first where the queue says so, then who attended the
 * contact last; one who is absent or full is passed, and the others get the ticket by the mode.
 */
export function deal(rules: Dealing, tickets: Waiting[], members: Candidate[]): Dealt {
  const dealt: Dealt = { picks: [], lastUserId: rules.lastUserId, members: members.map(one => ({ ...one })) }
  for (const ticket of tickets) {
    const free = dealt.members.filter(one => may(one, ticket.ownerId) && isFree(one, rules.capacity))
    const first = [rules.ownerFirst ? ticket.ownerId : null, ticket.lastId]
      .map(id => free.find(one => one.id === id))
      .find(one => one !== undefined)
    const next = first ?? (rules.mode === 'rotation' ? inTurn(free, dealt.lastUserId) : fewest(free))
    if (!next) continue
    if (!first) dealt.lastUserId = next.id
    next.open++
    dealt.picks.push({ ticketId: ticket.id, userId: next.id })
  }
  return dealt
}

/** The next by id behind the last, from the beginning behind the end. */
function inTurn(free: Candidate[], lastUserId: number | null): Candidate | undefined {
  const ordered = free.toSorted((a, b) => a.id - b.id)
  return ordered.find(({ id }) => id > (lastUserId ?? 0)) ?? ordered[0]
}

const fewest = (free: Candidate[]): Candidate | undefined =>
  free.toSorted((a, b) => a.open - b.open || a.id - b.id)[0]
