/**
 * Whose fault it is that something could not be done. `ours`: the database, the files, this process. `network`: the way
 * to the other side, or the other side as a whole. `recipient`: this one receiver, or what is to be done itself.
 */
export type Fault = 'ours' | 'network' | 'recipient'

/** How often, and how long, something is tried. */
export interface Patience {
  /** The pause behind the first try; each is twice as long as the one before, up to `mostMs`. */
  firstMs: number
  mostMs: number
  /** So many tries may fail by the recipient's fault. */
  tries: number
}

const MINUTE_MS = 60_000
/** They take a day, which is longer than any outage; what failed by our fault is none of them. */
const TRIES_OF_DAY = 160

/** All that is tried again, side by side. */
export const patience = {
  /** A message that waits to leave, and what is done to one that left. */
  outbox: { firstMs: 1_000, mostMs: 10_000, tries: 10 },
  /** A file that a customer sent. Who sent it and the network that keeps it are its recipient: both may not have it any more. */
  incomingFile: { firstMs: 5_000, mostMs: 10 * MINUTE_MS, tries: TRIES_OF_DAY },
  /** A picture of a contact, not awaited by a user. */
  picture: { firstMs: 5_000, mostMs: 10 * MINUTE_MS, tries: TRIES_OF_DAY },
  /** Inbound events that could not be processed: a defect, or an unexpected form. */
  news: { firstMs: 1_000, mostMs: MINUTE_MS, tries: 8 },
  /** What is charged by a provider. */
  charge: { firstMs: MINUTE_MS, mostMs: 6 * 60 * MINUTE_MS, tries: Number.POSITIVE_INFINITY },
} satisfies Record<string, Patience>

/** The longest pause while the other side as a whole, or we, are out of order: afterwards nothing waits for hours. */
const OUTAGE_MOST_MS = 10 * MINUTE_MS

/** What was tried so far. */
interface Tried {
  /** All tries, with the one that failed just now. */
  attempts: number
  /** Those among them that failed by the recipient's fault. */
  counted: number
}

/** In how long it is tried again; null when it is given up. What is not the recipient's fault never counts towards that. */
export function pauseAfter(
  { firstMs, mostMs, tries }: Patience,
  fault: Fault,
  { attempts, counted }: Tried,
): number | null {
  if (counted >= tries) return null
  const most = fault === 'recipient' ? mostMs : Math.min(mostMs, OUTAGE_MOST_MS)
  return Math.min(firstMs * 2 ** Math.min(attempts - 1, 30), most)
}
