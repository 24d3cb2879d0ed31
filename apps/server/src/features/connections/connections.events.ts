import type { Connection, ConnectionSession } from '@balcao/contract/connections.ts'
import { event } from '../../platform/events.ts'

/** Codes are in the news as they are stored: sealed. Whoever tells them opens them for those who may see. */
export const connectionChanged = event<Connection>('connection.changed')

/** Asked inside the transaction that removes a connection: what points to it lets go, what waits in it fails. */
export const connectionLeaving = event<{ whatsappId: number }>('connection.leaving')
export const connectionRemoved = event<{ whatsappId: number }>('connection.removed')
export const sessionChanged = event<ConnectionSession>('connection.session')

/** An admin wants something of a connection; the process that runs it looks. */
export const connectionWanted = event<{ whatsappId: number }>('connection.wanted')

export const CONNECTIONS_TOPIC = 'connections'

/** Somebody asks whether a number has WhatsApp; a question that gets lost is not answered. */
export interface NumberAsked {
  question: string
  number: string
}
export interface NumberTold {
  /** As WhatsApp writes it; null where nobody has it. */
  number: string | null
  /** The network did not say. */
  failed: boolean
}
export const numberAskedTopic = (whatsappId: number) => `number asked:${whatsappId}`
export const numberToldTopic = (question: string) => `number told:${question}`
