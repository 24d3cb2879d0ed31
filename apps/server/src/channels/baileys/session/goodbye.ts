import type { Wire } from './socket.ts'
import { withinMs } from './time-limit.ts'

/** How long each step of a goodbye may take. */
export const GOODBYE_MS = 5_000

/** Ends a socket, and unpairs its device where that is asked for. */
export async function sayGoodbye(wire: Wire, { logout }: { logout: boolean }): Promise<void> {
  const goodbye = logout ? wire.sock.logout() : wire.sock.end(undefined)
  await withinMs(GOODBYE_MS, Promise.all([goodbye, wire.closed]))
  await withinMs(GOODBYE_MS, wire.retire())
  wire.auth.seal()
}
