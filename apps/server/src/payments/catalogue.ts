import type { NewsKind } from '@balcao/contract/payments.ts'
import type { ChargeStatus } from './payments.ts'

/** What an event of a provider does here. */
export type EventMeaning = { why: string } & (
  | { does: 'settles'; kind: string; status: ChargeStatus }
  /** The charge is queried. */
  | { does: 'asks' }
  | { does: 'shows'; kind: NewsKind }
  /** The fiscal note is queried. */
  | { does: 'notes' }
  /** The authorization is queried. */
  | { does: 'authorizes' }
  /** An automatic debit does not come. */
  | { does: 'debits' }
  | { does: 'nothing' }
)

export const settles = (kind: string, status: ChargeStatus, why: string): EventMeaning => ({
  ...{ does: 'settles', kind, status, why },
})
export const asks = (why: string): EventMeaning => ({ does: 'asks', why })
export const shows = (kind: NewsKind, why: string): EventMeaning => ({ does: 'shows', kind, why })
export const notes = (why: string): EventMeaning => ({ does: 'notes', why })
export const authorizes = (why: string): EventMeaning => ({ does: 'authorizes', why })
export const debits = (why: string): EventMeaning => ({ does: 'debits', why })
export const nothing = (why: string): EventMeaning => ({ does: 'nothing', why })

/** The same for several that share the beginning of their names. */
export const each = (start: string, ends: string, meaning: EventMeaning): Record<string, EventMeaning> =>
  Object.fromEntries(ends.split(' ').map(end => [start + end, meaning]))

/** A row of docs/payment-events.md. */
export const eventRow = ([name, meaning]: [string, EventMeaning]) =>
  `| \`${name}\` | ${meaning.does === 'shows' ? `shows (${meaning.kind})` : meaning.does} | ${meaning.why} |`
