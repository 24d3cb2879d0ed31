import type { Device } from './directory.ts'
import { attr, type BinaryNode, node } from './nodes.ts'

/** What goes wrong on purpose. Every switch stays as it is set until it is set back or used up. */
export interface Faults {
  /** Keeps the acks of messages back; the returned function sends them, or `forget` loses them for good. */
  holdAcks(): { release(): void; forget(): void }
  /** Refuses the next messages (all, unless told how many) with this code; they are not delivered. */
  failAcks(code: number, times?: number): { stop(): void }
  /** Refuses logins with this code (401, 403, 405, 503 …); undefined lets them in again. */
  refuse(code: number | undefined): void
  /** Damages the next encrypted messages on their way to this number's devices. */
  corrupt(number: string, times?: number): void
  /** Ends a number's socket after so many more frames in this direction. */
  dropAfter(number: string, frames: number, direction?: 'in' | 'out'): void
}

export interface FaultState extends Faults {
  refusal(): number | undefined
  messageError(): number | undefined
  ack(send: () => void): void
  garble(device: Device, stanza: BinaryNode): BinaryNode
  /** Whether this frame is the last one of its connection. */
  isLastFrame(device: Device, direction: 'in' | 'out'): boolean
}

export function makeFaults(): FaultState {
  let held: (() => void)[] | undefined
  let failing: { code: number; left: number } | undefined
  let refused: number | undefined
  const corrupting = new Map<string, number>()
  const dropping = new Map<string, number>()
  return {
    holdAcks() {
      const kept: (() => void)[] = []
      held = kept
      const stop = () => {
        if (held === kept) held = undefined
        return kept.splice(0)
      }
      return {
        release() {
          for (const send of stop()) send()
        },
        forget: () => void stop(),
      }
    },
    failAcks(code, times = Number.POSITIVE_INFINITY) {
      const mine = { code, left: times }
      failing = mine
      return {
        stop() {
          mine.left = 0
        },
      }
    },
    refuse(code) {
      refused = code
    },
    corrupt(number, times = 1) {
      corrupting.set(number, times)
    },
    dropAfter(number, frames, direction = 'out') {
      dropping.set(`${number} ${direction}`, frames)
    },

    refusal: () => refused,
    messageError: () => (failing && failing.left-- > 0 ? failing.code : undefined),
    ack(send) {
      if (held) held.push(send)
      else send()
    },
    garble(device, stanza) {
      const left = corrupting.get(device.account.number) ?? 0
      const isEncrypted = Array.isArray(stanza.content) && stanza.content.some(part => part.tag === 'enc')
      if (left < 1 || !isEncrypted) return stanza
      corrupting.set(device.account.number, left - 1)
      return damage(stanza)
    },
    isLastFrame(device, direction) {
      const key = `${device.account.number} ${direction}`
      const left = dropping.get(key)
      if (left === undefined) return false
      if (left > 1) dropping.set(key, left - 1)
      else dropping.delete(key)
      return left <= 1
    },
  }
}

function damage(stanza: BinaryNode): BinaryNode {
  const parts = (stanza.content as BinaryNode[]).map(part => {
    if (part.tag !== 'enc') return part
    const bytes = Buffer.from(part.content as Uint8Array)
    // The last bytes are the Signal MAC: the message stays readable as a protobuf and fails its check.
    bytes[bytes.length - 1]! ^= 0xff
    return node('enc', part.attrs, bytes)
  })
  return node('message', { ...stanza.attrs, id: attr(stanza, 'id') }, parts)
}
