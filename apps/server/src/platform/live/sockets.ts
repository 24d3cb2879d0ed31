import type { Server as HttpServer } from 'node:http'
import type { Logger } from 'pino'
import type { Access } from '../access/access.ts'
import { Refusal } from '../errors.ts'
import type { Scopes } from '../scope.ts'
import { openQueue } from '../work/serial-queue.ts'
import { everyone, type Join, type Reports, type ReportTools, type SendPush } from './live.ts'
import type { LiveServer, Pushes } from './push.ts'
import { limitSockets } from './socket-budget.ts'
import { followReports } from './socket-reports.ts'
import { answerJoin, isByRight, type LookedAt, roomsOf, settleRooms } from './socket-rooms.ts'
import { boundRecovery, guardRecovery, whoKnocks } from './socketio/recovery.ts'

/** How soon (ms) a socket whose session ended or whose rights changed is corrected, should the signal be lost. */
const SWEEP_MS = 4_000
/** Sockets that one query asks about. */
const SWEPT_AT_ONCE = 500

/** How long (ms) other processes may take to report their sockets. */
const PRESENT_MS = 1_000

/** Signals every process that a user's rights changed or a session ended; the payload is the user's id. */
export const VIEWER_TOPIC = 'viewer'

interface Deps {
  access: Access
  scopes: Scopes
  log: Logger
}

/** What features answer to screens. */
interface Doors {
  joins: Join[]
  reports: Reports[]
  tools: ReportTools
  /** What routes check before a visitor's call: it records the look, or refuses it. */
  lookedAt: LookedAt
}

export interface Sockets {
  push: SendPush
  /** Corrects every socket of a user at once: new rooms, or disconnected. */
  refresh(userId: number): Promise<void>
  count(): number
  /** The users who have a screen open at this process, without visitors; one of them perhaps several times. */
  users(): { companyId: number; userId: number }[]
  /** The users of a company who have a screen open, at any process, without visitors. */
  present(companyId: number): Promise<Set<number>>
}

export interface OpenSockets extends Sockets {
  /** Accepts screens over this HTTP server. Without it this process only pushes, through Redis. */
  receive(http: HttpServer, doors: Doors): void
  /** Resolves when this process receives what others push. */
  begin(): Promise<void>
  close(): Promise<void>
}

export function openSockets(pushes: Pushes, deps: Deps): OpenSockets {
  const { server: io, push } = pushes
  let isAttached = false
  const sweep = (only?: number) => correctSockets(io, deps.access, only)
  const stopSweeping = every(SWEEP_MS, sweep)
  return {
    push,
    refresh(userId) {
      deps.access.forget(userId)
      return sweep(userId)
    },
    count: () => io.sockets.sockets.size,
    users: () =>
      [...io.sockets.sockets.values()].flatMap(({ data: { viewer, claims } }) =>
        viewer && viewer.visitId === undefined ? [claims] : [],
      ),
    async present(companyId: number): Promise<Set<number>> {
      const room = io.timeout(PRESENT_MS).in(everyone(companyId))
      // where another process does not answer, those of this one are known
      const all = await room.fetchSockets().catch(() => io.local.in(everyone(companyId)).fetchSockets())
      const own = all.filter(({ data }) => data.viewer.visitId === undefined)
      return new Set(own.map(({ data }) => data.claims.userId))
    },
    receive(http, doors) {
      isAttached = true
      receive(http, io, deps, doors)
    },
    begin: pushes.begin,
    async close() {
      stopSweeping()
      await (isAttached ? io.close() : io.of('/').adapter.close()) // without an HTTP server io.close() throws
      await pushes.close()
    },
  }
}

/** Reads the rights of each socket (of one user's) anew: it changes rooms, or is disconnected when its session ended. */
async function correctSockets(io: LiveServer, access: Access, only?: number) {
  const all = [...io.sockets.sockets.values()].filter(
    ({ data }) => only === undefined || data.claims?.userId === only,
  )
  for (let from = 0; from < all.length; from += SWEPT_AT_ONCE) {
    const some = all.slice(from, from + SWEPT_AT_ONCE)
    const viewers = await access
      .viewersOf(some.map(({ data }) => data.claims))
      .catch(() => some.map(({ data }) => data.viewer))
    for (const [at, socket] of some.entries()) {
      const viewer = viewers[at]
      if (viewer) await settleRooms(socket, viewer)
      else socket.disconnect(true)
    }
  }
}

/** Again and again, never twice at once: a slow database would only get slower. */
function every(ms: number, work: () => Promise<void>) {
  let busy = false
  const timer = setInterval(async () => {
    if (busy) return
    busy = true
    await work().finally(() => {
      busy = false
    })
  }, ms)
  timer.unref()
  return () => clearInterval(timer)
}

/** Lets screens in and answers what they ask. */
function receive(http: HttpServer, io: LiveServer, deps: Deps, { joins, reports, tools, lookedAt }: Doors) {
  io.attach(http)
  const budgets = limitSockets(io.engine, owner =>
    deps.log.warn({ owner }, 'a socket exceeded its budget and was closed'),
  )
  guardRecovery(io.of('/'), deps.access.enter, roomsOf, isByRight)
  boundRecovery(io.of('/'))

  io.use((socket, next) => {
    try {
      const known = whoKnocks()
      const { companyId, userId } = known.claims
      if (!budgets.claim(socket.conn, `${companyId} ${userId}`)) throw new Refusal('ERR_TOO_MANY_REQUESTS')
      socket.data = known
      next()
    } catch (error) {
      next(error as Error)
    }
  })

  io.on('connection', async socket => {
    const { companyId, userId } = socket.data.claims
    if (!budgets.claim(socket.conn, `${companyId} ${userId}`)) return socket.disconnect(true)
    // one screen's requests run one after the other: it uses no more of the process than one caller
    const serialize = openQueue()
    // joinNotification comes without an argument, so its acknowledgement is the first one
    for (const join of joins)
      socket.on(
        join.emitted,
        (asked: unknown, done: unknown = asked) =>
          void serialize(() => answerJoin(socket, join, asked, done, { ...deps, lookedAt })),
      )
    followReports(socket, reports, { ...deps, tools, serialize })
    await settleRooms(socket, socket.data.viewer)
  })
}
