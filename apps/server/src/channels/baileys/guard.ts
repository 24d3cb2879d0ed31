import type { WASocket } from 'baileys'
import { LeaseLost } from '../driver.ts'

/** What is below Baileys: where the bytes of every frame leave. */
interface Line {
  send(bytes: Uint8Array, done?: (error?: Error) => void): void
}

/**
 * Looks at the lease in the very step in which bytes leave. A process that stood still (a paused machine, a starved
 * one) wakes in the middle of what it did: its line to WhatsApp may still be open though another one is the owner.
 */
export function guard(sock: WASocket, owns: () => boolean, lost: (error: LeaseLost) => void): void {
  const line: Line = Reflect.get(sock.ws, 'socket')
  const send = line.send.bind(line)
  line.send = (bytes, done) => {
    if (owns()) return send(bytes, done)
    const error = new LeaseLost()
    done?.(error)
    lost(error)
  }
}
