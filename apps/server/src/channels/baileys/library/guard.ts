import type { WASocket } from 'baileys'
import { LeaseLost } from '../../../driver.ts'

/** What is below Baileys: where the bytes of every frame leave. */
interface Line {
  send(bytes: Uint8Array, done?: (error?: Error) => void): void
}

interface Conditions {
  /** False from the moment on in which another process may be the owner. */
  owns(): boolean
  lost(error: LeaseLost): void
  /** Stores what must be stored before the frame of this step leaves; null when there is nothing. */
  settle(): Promise<void> | null
}

/**
 * Runs in the very step in which bytes leave. A frame waits for the keys it was encrypted with to be stored, and with
 * it those that come after it: each is sealed for its place in the order. And the lease is looked at: a process that
 * stood still (a paused machine, a starved one) wakes in the middle of what it did, when its line to WhatsApp may still
 * be open though another one is the owner.
 *
 * Replaces `send` of the socket below Baileys 7.0.0-rc14, since it has no hook in that step. Instead of: the
 * question before Baileys is asked to send, with a gap of a whole encryption (decision 008). It gains no speed;
 * `ratchet.test.ts` fails when a frame leaves another way.
 */
export function guard(sock: WASocket, { owns, lost, settle }: Conditions): void {
  const line: Line = Reflect.get(sock.ws, 'socket')
  const send = line.send.bind(line)
  let queue: Promise<unknown> | null = null

  const leave: Line['send'] = (bytes, done) => {
    if (owns()) return send(bytes, done)
    const error = new LeaseLost()
    done?.(error)
    lost(error)
  }

  line.send = (bytes, done) => {
    const settled = settle()
    if (!settled && !queue) return leave(bytes, done)
    const turn = Promise.all([queue, settled]).then(() => leave(bytes, done))
    queue = turn
    turn.then(
      () => {
        if (queue === turn) queue = null
      },
      // What could not be stored ends this socket: nothing leaves it any more.
      error => done?.(error),
    )
  }
}
