import type { Device } from './directory.ts'
import { attr, type BinaryNode, node } from './nodes.ts'

/** What goes wrong on purpose. Every switch stays as it is set until it is set back or used up. */
export interface Faults {
  /** Keeps the acks of messages back; the returned function sends them, or `forget` loses them for good. */
  holdAcks(): { release(): void; forget(): void }
  /** Refuses the next messages (default: all) with this code; they are not delivered. */
  failAcks(code: number, times?: number): { stop(): void }
  /** Refuses logins with this code (401, 403, 405, 503 …) and what it says with it; undefined lets them in again. */
  refuse(code: number | undefined, attrs?: { expire?: string; code?: string }): void
  /** Damages the next encrypted messages on their way to this number's devices. */
  corrupt(number: string, times?: number): void
  /**
   * Refuses clients older than this revision with 405, and serves its number at /sw.js, as the real server does for
   * browsers; a `broken` page holds none. Undefined accepts every client again.
   */
  demandVersion(revision: number | undefined, page?: 'serves' | 'broken'): void
  /** Answers the next queries of WhatsApp users with an error (default: all). */
  failChecks(times?: number): void
  /** Ends a number's socket after so many more frames in this direction. */
  dropAfter(number: string, frames: number, direction?: 'in' | 'out'): void
}

export interface FaultState extends Faults {
  /** The code with which a client of this revision is refused, if it is. */
  refusal(revision: number): { reason: string } | undefined
  /** The content of /sw.js. */
  page(): string | undefined
  checkFails(): boolean
  messageError(): number | undefined
  ack(send: () => void): void
  garble(device: Device, stanza: BinaryNode): BinaryNode
  /** Whether this frame is the last one of its connection. */
  isLastFrame(device: Device, direction: 'in' | 'out'): boolean
}

export function makeFaults(): FaultState {
  let held: (() => void)[] | undefined
  let failing: { code: number; left: number } | undefined
  let refused: { reason: string } | undefined
  let demanded: { revision: number; page: string | undefined } | undefined
  let failingChecks = 0
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
    refuse(code, attrs) {
      refused = code === undefined ? undefined : { ...attrs, reason: `${code}` }
    },
    demandVersion(revision, page = 'serves') {
      const script = page === 'serves' ? `{\\"client_revision\\":${revision},\\"push\\":1}` : undefined
      demanded = revision === undefined ? undefined : { revision, page: script }
    },
    failChecks(times = Number.POSITIVE_INFINITY) {
      failingChecks = times
    },
    corrupt(number, times = 1) {
      corrupting.set(number, times)
    },
    dropAfter(number, frames, direction = 'out') {
      dropping.set(`${number} ${direction}`, frames)
    },

    refusal: revision =>
      refused ?? (demanded && revision < demanded.revision ? { reason: '405' } : undefined),
    page: () => demanded?.page,
    checkFails: () => failingChecks-- > 0,
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
