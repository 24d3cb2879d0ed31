import type { MissedPush } from '@balcao/contract/live.ts'
import type { Namespace } from 'socket.io'

/** So many pushes are kept, of all companies together: some 2 kB each, seven seconds at 700 a second. */
export const MOST_RECENT = 5_000
/** A screen that fetched before this (ms) fetches again. */
const MOST_SINCE_MS = 60_000
/** A screen that missed more fetches: that costs less. */
const MOST_GIVEN = 200

interface Recent {
  at: number
  rooms: ReadonlySet<string>
  except: ReadonlySet<string>
  data: unknown[]
}
type Options = Pick<Recent, 'rooms' | 'except'>
type Packet = Pick<Recent, 'data'>

/**
 * Keeps the newest pushes. The answered function gives those that the members of these rooms would have received in the
 * last so many milliseconds, oldest first; null where not all of them are kept.
 *
 * Wraps the method of the adapters of socket.io-adapter 2.5.8 that runs immediately before a push is written to the
 * sockets of this process: `addOffsetIfNecessary` of the one over Redis, `broadcast` of the one in memory. Instead of:
 * a list at the place that publishes, which lacks the pushes of other processes. It gains that a screen does not fetch
 * its lists twice at its start; `sockets.test.ts` and `redis.test.ts` fail when nothing is kept.
 */
export function keepRecentPushes({ adapter }: Pick<Namespace, 'adapter'>) {
  let kept: Recent[] = []
  /** Of this moment and before not all pushes are here. */
  let unknown = performance.now()
  const method = 'addOffsetIfNecessary' in adapter ? 'addOffsetIfNecessary' : 'broadcast'
  const wrapped: (...given: unknown[]) => unknown = Reflect.get(adapter, method)
  Reflect.set(adapter, method, (packet: Packet, opts: Options, ...others: unknown[]) => {
    kept.push({ at: performance.now(), rooms: opts.rooms, except: opts.except, data: packet.data })
    // a tenth at a time, since what is behind moves up
    if (kept.length > MOST_RECENT * 1.1) {
      unknown = kept[kept.length - MOST_RECENT - 1]!.at
      kept = kept.slice(-MOST_RECENT)
    }
    return wrapped.call(adapter, packet, opts, ...others)
  })
  return (joined: ReadonlySet<string>, sinceMs: number): MissedPush[] | null => {
    const now = performance.now()
    if (sinceMs > MOST_SINCE_MS || now - sinceMs <= unknown) return null
    const missed: MissedPush[] = []
    for (let at = kept.length - 1; at >= 0 && kept[at]!.at >= now - sinceMs; at--) {
      const push = kept[at]!
      if (!isFor(push, joined)) continue
      if (missed.length === MOST_GIVEN) return null
      const [channel, payload] = push.data
      missed.push([now - push.at, String(channel), payload])
    }
    return missed.reverse()
  }
}

function isFor({ rooms, except }: Recent, joined: ReadonlySet<string>) {
  let included = false
  for (const room of joined) {
    if (except.has(room)) return false
    included ||= rooms.has(room)
  }
  return included
}
