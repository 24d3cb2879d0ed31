import { passCall } from './calls.ts'
import type { ClientSocket } from './client-socket.ts'
import type { Device } from './directory.ts'
import { takeMessage } from './messages.ts'
import { type BinaryNode, firstChild } from './nodes.ts'
import { passChatState, takePresence } from './presence.ts'
import { answerQuery } from './queries.ts'
import { takeAck, takeReceipt } from './receipts.ts'
import type { World } from './world.ts'

type Take = (world: World, device: Device, stanza: BinaryNode) => void

/** What a device may say besides queries. */
const TAKEN: Record<string, Take> = {
  message: takeMessage,
  receipt: takeReceipt,
  ack: takeAck,
  presence: takePresence,
  chatstate: passChatState,
  call: passCall,
}

/** Telemetry and flow control that need no answer. */
const NEEDS_NO_ANSWER = new Set(['unified_session', 'offline_batch'])

/** What a client says while it is being paired: that it heard of its code, and Baileys its (empty) name. */
const SAID_UNPAIRED = new Set(['ack', 'presence'])

/** A stanza from a client: queries are answered, the rest is routed, and what is not known is written down. */
export async function takeStanza(world: World, socket: ClientSocket, stanza: BinaryNode): Promise<void> {
  if (stanza.tag === 'iq') return answerQuery(world, socket, stanza)
  if (stanza.tag === 'ib' && NEEDS_NO_ANSWER.has(firstChild(stanza)?.tag ?? '')) return
  if (socket.pairing && SAID_UNPAIRED.has(stanza.tag)) return
  if (!takeFromDevice(world, socket.device, stanza)) {
    world.unknown.push({ from: socket.device?.account.number ?? 'unpaired', stanza })
  }
}

/** A stanza from a device that is logged in, or from a phone. Returns false when it is not known. */
export function takeFromDevice(world: World, device: Device | undefined, stanza: BinaryNode): boolean {
  const take = TAKEN[stanza.tag]
  if (!take || !device) return false
  take(world, device, stanza)
  return true
}
