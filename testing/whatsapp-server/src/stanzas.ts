import { passCall } from './calls.ts'
import type { ClientSocket } from './client-socket.ts'
import type { Device } from './directory.ts'
import { receiveMessage } from './messages.ts'
import { type BinaryNode, firstChild } from './nodes.ts'
import { passChatState, receivePresence } from './presence.ts'
import { answerQuery } from './queries.ts'
import { receiveAck, receiveReceipt } from './receipts.ts'
import type { State } from './state.ts'

type Take = (state: State, device: Device, stanza: BinaryNode) => void

/** Stanzas of a device besides queries. */
const TAKEN: Record<string, Take> = {
  message: receiveMessage,
  receipt: receiveReceipt,
  ack: receiveAck,
  presence: receivePresence,
  chatstate: passChatState,
  call: passCall,
}

/** Telemetry and flow control that need no answer. */
const NEEDS_NO_ANSWER = new Set(['unified_session', 'offline_batch'])

/** Stanzas of a client during pairing: that it received its code, and Baileys' (empty) name. */
const SAID_UNPAIRED = new Set(['ack', 'presence'])

/** A stanza from a client: queries are answered, the rest is routed, and what is not known is written down. */
export async function receiveStanza(state: State, socket: ClientSocket, stanza: BinaryNode): Promise<void> {
  if (stanza.tag === 'iq') return answerQuery(state, socket, stanza)
  if (stanza.tag === 'ib' && NEEDS_NO_ANSWER.has(firstChild(stanza)?.tag ?? '')) return
  if (socket.pairing && SAID_UNPAIRED.has(stanza.tag)) return
  if (!receiveFromDevice(state, socket.device, stanza)) {
    state.unknown.push({ from: socket.device?.account.number ?? 'unpaired', stanza })
  }
}

/** A stanza from a device that is logged in, or from a phone. Returns false when it is not known. */
export function receiveFromDevice(state: State, device: Device | undefined, stanza: BinaryNode): boolean {
  const take = TAKEN[stanza.tag]
  if (!take || !device) return false
  take(state, device, stanza)
  return true
}
