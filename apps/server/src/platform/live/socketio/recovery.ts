import { AsyncLocalStorage } from 'node:async_hooks'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Namespace } from 'socket.io'
import type { Claims } from '../../access/access.ts'

/** A screen that lost its line for less than this gets what it missed; after longer it loads afresh. */
export const RECOVERY_MS = 2 * 60_000

/**
 * So many pushes are kept for who comes back, of all companies together; who missed more loads afresh. Some 2 kB each:
 * at 700 a second two to three minutes of them, which the library keeps, were 150 MB.
 */
export const MOST_KEPT = 20_000

/** How often one connection may authenticate. */
const MOST_KNOCKS = 5

/** The identity of a socket: the claims of its token, and its current rights. */
export interface Known {
  claims: Claims
  viewer: Viewer
}

type Knock = { known: Known } | { refusal: Error }

/** Socket.IO looks for what was missed before anybody is asked who he is: here it is asked first. */
const knocking = new AsyncLocalStorage<Knock>()

/**
 * Asks `enter` who knocks before Socket.IO restores anything. What was missed is given back only to the session that
 * missed it and only while its rights are the very same, so that everything in it is for its eyes; everybody else
 * begins anew and fetches.
 *
 * Wraps `_add` and the adapter of Socket.IO 4.8.4: it has no hook before it restores. Instead of: its middleware, which
 * runs behind that, or no recovery, with which every short loss of a line fetches everything. It gains no speed;
 * `sockets.test.ts` fails when somebody gets what is not his.
 */
export function guardRecovery(
  lobby: Namespace,
  enter: (token: string | undefined) => Promise<Known>,
  roomsByRight: (viewer: Viewer) => string[],
  isByRight: (room: string) => boolean,
) {
  const knocks = new WeakMap<object, number>()
  const add = lobby._add.bind(lobby)
  lobby._add = async (client, auth, done) => {
    const times = (knocks.get(client) ?? 0) + 1
    knocks.set(client, times)
    if (times > MOST_KNOCKS) return client.conn.close(true)
    const knock = await enter(typeof auth.token === 'string' ? auth.token : undefined).then(
      known => ({ known }),
      (error: unknown) => ({ refusal: error instanceof Error ? error : new Error('ERR_NO_SESSION') }),
    )
    return knocking.run(knock, () => add(client, auth, done))
  }

  const { adapter } = lobby
  const restore = adapter.restoreSession.bind(adapter)
  adapter.restoreSession = async (pid, offset) => {
    const knock = knocking.getStore()
    if (!knock || 'refusal' in knock) throw new Error('nobody to restore for')
    const { known } = knock
    const session = await restore(pid, offset)
    if (!session) throw new Error('nothing to restore')
    const { claims } = session.data as Known
    const rooms = roomsByRight(known.viewer)
    const had = new Set(session.rooms.filter(isByRight))
    const isSame = (['sessionId', 'userId', 'visitId'] as const).every(
      one => claims[one] === known.claims[one],
    )
    if (!isSame || had.size !== rooms.length || !rooms.every(room => had.has(room)))
      throw new Error('not what it was')
    return { ...session, rooms: [session.sid, ...rooms], data: known }
  }
}

/**
 * Keeps no more than `MOST_KEPT` pushes. Over Redis its stream keeps them, which has a limit of its own.
 *
 * Wraps `broadcast` of the adapter of Socket.IO 4.8.4 and shortens the list that it appends to. Instead of: its own
 * limit, which is time alone. It gains memory, no speed; `sockets.test.ts` fails when more is given back.
 */
export function boundRecovery({ adapter }: Namespace) {
  const packets: unknown = Reflect.get(adapter, 'packets')
  if (!Array.isArray(packets)) return
  const { broadcast } = adapter
  adapter.broadcast = (packet, opts) => {
    broadcast.call(adapter, packet, opts)
    // a tenth at a time, since what is behind moves up
    if (packets.length > MOST_KEPT * 1.1) packets.splice(0, packets.length - MOST_KEPT)
  }
}

/** Who knocks, within the middleware of a socket; refuses as `enter` did. */
export function whoKnocks(): Known {
  const knock = knocking.getStore()
  if (!knock) throw new Error('ERR_NO_SESSION')
  if ('refusal' in knock) throw knock.refusal
  return knock.known
}
