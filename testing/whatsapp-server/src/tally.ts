/** How often the server saw each message id, so that "none lost, none doubled" can be asserted. */
export interface Tally {
  /** Messages that clients and phones submitted, by id; a resend under the same id counts again. */
  accepted: Map<string, number>
  /** Stanzas the server wrote to a socket, by message id; redeliveries count again. */
  delivered: Map<string, number>
  /** Messages that a companion confirmed with a receipt, by id. */
  confirmed: Map<string, number>
  /** Messages that a companion gave back with an error (`nack`): id and code. */
  nacks: { id: string; code: string }[]
  /** Logins of companions, by number. */
  logins: Map<string, number>
  /** Retry receipts that passed through, by message id. */
  retries: Map<string, number>
  /** Requests of a resend, with requester and message, in order. */
  asked: { by: string; id: string }[]
  /** Messages that a device could not decrypt on arrival, whether or not it requested a resend. */
  unreadable: { by: string; id: string }[]
}

export function makeTally(): Tally {
  return {
    accepted: new Map(),
    delivered: new Map(),
    confirmed: new Map(),
    nacks: [],
    logins: new Map(),
    retries: new Map(),
    asked: [],
    unreadable: [],
  }
}

export function count(ids: Map<string, number>, id: string): void {
  ids.set(id, (ids.get(id) ?? 0) + 1)
}

/** The ids that were counted more than once. */
export function doubled(ids: Map<string, number>): string[] {
  return [...ids].filter(([, times]) => times > 1).map(([id]) => id)
}
