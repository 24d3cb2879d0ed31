import type { Connection, ConnectionSession } from '@balcao/contract/connections.ts'
import { event } from '../../platform/events.ts'

/** Codes in the payload are encrypted. */
export const connectionChanged = event<Connection>('connection.changed')

/**
 * Inside the transaction that deletes a connection: records are detached from it, messages in its outbox fail. Tickets that
 * are not closed go to the connection `heirId`, are closed (`closes`), or stay without one.
 */
export const connectionLeaving = event<{ whatsappId: number; heirId: number | null; closes: boolean }>(
  'connection.leaving',
)
/**
 * Inside the transactions that come before: whose records of the connection may be many takes at most `most` of them and
 * adds how many it took to `taken`, until none are left.
 */
export const connectionEmptying = event<{
  whatsappId: number
  heirId: number | null
  closes: boolean
  most: number
  taken: { rows: number }
}>('connection.emptying')
export const connectionRemoved = event<{ whatsappId: number }>('connection.removed')
export const sessionChanged = event<ConnectionSession>('connection.session')

/** Inside the transaction in which WhatsApp's restriction of first messages begins, moves or ends (null). */
export const connectionRestricted = event<{ whatsappId: number; until: string | null }>(
  'connection.restricted',
)

/** The desired state of a connection changed. */
export const connectionWanted = event<{ whatsappId: number }>('connection.wanted')

export const CONNECTIONS_TOPIC = 'connections'

/** Signals between processes: whether a number has WhatsApp. A lost one ends in a timeout. */
export interface NumberCheck {
  question: string
  number: string
}
export interface NumberChecked {
  /** As WhatsApp writes it; null where it has no WhatsApp. */
  number: string | null
  /** The network did not answer. */
  failed: boolean
}
export const numberCheckTopic = (whatsappId: number) => `number asked:${whatsappId}`
export const numberCheckedTopic = (question: string) => `number told:${question}`
