import type { Server as HttpServer } from 'node:http'
import { channelName } from '@balcao/contract/kit.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import type { Logger } from 'pino'
import { Server, type Socket } from 'socket.io'
import type { Access } from './access.ts'
import type { Config } from './config.ts'
import { Refusal } from './errors.ts'
import {
  admins,
  everyone,
  type Join,
  lookingInto,
  masters,
  notAdmins,
  oneUser,
  payers,
  queueMembers,
  type Room,
  type SendPush,
  screens,
  tellGap,
} from './live.ts'
import { openQueue } from './queue.ts'
import type { Scopes } from './scope.ts'
import { boundRecovery, guardRecovery, type Known, RECOVERY_MS, whoKnocks } from './socketio/recovery.ts'
import { limitSockets } from './sockets.budget.ts'

/** How soon a socket whose session ended or whose rights changed is put right, should the news be lost. */
const SWEEP_MS = 4_000
/** How many rooms a client may have asked for; the oldest are left. */
const MOST_ASKED = 20
/** A room in which nobody stands. */
const NOBODY = 'nobody'
/** How long a line may stay open without saying whose it is. */
const SILENT_MS = 10_000

/** Tells every process that a user's rights changed or its session ended; the payload is the user's id. */
export const VIEWER_TOPIC = 'viewer'

interface Deps {
  config: Config
  installation: string
  access: Access
  scopes: Scopes
  joins: Join[]
  log: Logger
}

/** Channels are typed by the contract, where they are pushed; here they are names. */
type Told = Record<string, (payload: unknown) => void>
type Heard = Record<string, (asked: unknown, done?: unknown) => void>
type Client = Socket<Heard, Told, object, Known>

/** Live channels. Without an HTTP server (worker, channels) it only speaks, through Redis. */
export async function openSockets(http: HttpServer | null, deps: Deps) {
  const { config, access, log } = deps
  // Redis' client is a third of all modules: a house without one does not wait for it
  const redis = config.redisUrl
    ? await (await import('./socketio/redis.ts')).openRedis(config.redisUrl, deps.installation, log)
    : null
  const io = new Server<Heard, Told, object, Known>({
    path: '/socket.io/',
    serveClient: false,
    maxHttpBufferSize: 100_000,
    connectTimeout: SILENT_MS,
    // who is restored was asked before (socketio/recovery.ts)
    connectionStateRecovery: { maxDisconnectionDuration: RECOVERY_MS, skipMiddlewares: true },
    ...(redis && { adapter: redis.adapterOf }),
  })
  if (http) receive(http, io, deps)

  async function sweep(only?: number) {
    for (const socket of io.sockets.sockets.values()) {
      if (only !== undefined && socket.data.claims?.userId !== only) continue
      const viewer = await access.viewerOf(socket.data.claims).catch(() => socket.data.viewer)
      if (viewer) await stand(socket, viewer)
      else socket.disconnect(true)
    }
  }
  const stopSweeping = every(SWEEP_MS, sweep)

  const push: SendPush = (channel, rooms, payload, except = []) => {
    const list = Array.isArray(rooms) ? rooms : [rooms]
    const first = list[0]
    if (!first) return
    const companyId = Number(first.split(':')[1])
    // masters hear of every company, on its own channel
    if (
      [...list.slice(1), ...except].some(
        room => room !== masters && !room.startsWith(`company:${companyId}:`),
      )
    )
      throw new Error(`rooms of two companies: ${list}`)
    const { success, data, error } = channel.payload.safeParse(payload)
    if (success) {
      log.debug({ companyId, channel: channel.name }, 'pushed')
      return void io.to(list).except(except).emit(channelName(channel, companyId), data)
    }
    // the rows stand: whoever should have heard looks for himself
    log.error({ err: error, channel: channel.name }, 'a push had the wrong shape')
    tellGap(push, list)
  }

  await redis?.begin(
    () => io.to(NOBODY).emit('beat', {}),
    () => tellGap(push, screens),
  )

  return {
    push,
    /** Puts every socket of a user right at once: new rooms, or off. */
    refresh: (userId: number) => {
      access.forget(userId)
      return sweep(userId)
    },
    count: () => io.sockets.sockets.size,
    async close() {
      stopSweeping()
      await (http ? io.close() : io.of('/').adapter.close()) // without an HTTP server io.close() throws
      await redis?.close()
    },
  }
}
export type Sockets = Awaited<ReturnType<typeof openSockets>>

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
function receive(http: HttpServer, io: Server<Heard, Told, object, Known>, deps: Deps) {
  io.attach(http)
  const lines = limitSockets(io.engine, owner =>
    deps.log.warn({ owner }, 'a line said too much and was cut off'),
  )
  guardRecovery(io.of('/'), deps.access.enter, roomsOf, isByRight)
  boundRecovery(io.of('/'))

  io.use((socket, next) => {
    try {
      const known = whoKnocks()
      const { companyId, userId } = known.claims
      if (!lines.claim(socket.conn, `${companyId} ${userId}`)) throw new Refusal('ERR_TOO_MANY_REQUESTS')
      socket.data = known
      next()
    } catch (error) {
      next(error as Error)
    }
  })

  io.on('connection', async socket => {
    const { companyId, userId } = socket.data.claims
    if (!lines.claim(socket.conn, `${companyId} ${userId}`)) return socket.disconnect(true)
    // what one screen asks waits for what it asked before: it takes no more of the house than one caller
    const serialize = openQueue()
    for (const join of deps.joins)
      socket.on(
        join.emitted as never,
        // joinNotification comes without anything asked, so that its answer stands first
        ((asked: unknown, done: unknown = asked) =>
          void serialize(() => answer(socket, join, asked, done, deps))) as never,
      )
    await stand(socket, socket.data.viewer)
  })
}

async function answer(socket: Client, join: Join, asked: unknown, done: unknown, { scopes, log }: Deps) {
  if (!socket.connected) return
  const scope = scopes.inCompany(socket.data.claims.companyId, socket.data.viewer, socket.id)
  const room = await Promise.resolve()
    .then(() => join.room(scope, asked))
    .catch(error => {
      log[error instanceof Refusal ? 'debug' : 'warn']({ err: error, join: join.emitted }, 'join refused')
      return null
    })
  if (room && socket.connected) {
    await socket.join(room)
    const byAsking = [...socket.rooms].filter(one => ASKED.test(one))
    for (const oldest of byAsking.slice(0, -MOST_ASKED)) await socket.leave(oldest)
  }
  if (typeof done === 'function') done({ joined: room !== null })
}

/** The rooms a viewer belongs in, by the policies of tickets.rules: `canSee`, and `canRead` for those that look. */
function roomsOf(viewer: Viewer): Room[] {
  const { companyId } = viewer
  const rooms = [screens, everyone(companyId), oneUser(companyId, viewer.id)]
  if (may(viewer, 'master')) rooms.push(masters)
  if (viewer.payPanelAccess) rooms.push(payers(companyId))
  if (may(viewer, 'tickets:showAll')) return [...rooms, admins(companyId)]
  const own = [oneUser(companyId, viewer.id), ...viewer.queueIds.map(id => queueMembers(companyId, id))]
  if (viewer.authorization.allowNoQueue === 1) own.push(queueMembers(companyId, null))
  if (may(viewer, 'tickets:viewPending')) own.push(...own.map(lookingInto))
  return [...new Set([...rooms, notAdmins(companyId), ...own])]
}

/** What was asked for with other rights is asked for again. */
async function stand(socket: Client, viewer: Viewer) {
  const rooms = roomsOf(viewer)
  const had = [...socket.rooms].filter(isByRight)
  socket.data.viewer = viewer
  if (had.length === rooms.length && rooms.every(room => socket.rooms.has(room))) return
  for (const room of socket.rooms)
    if (room.startsWith('company:') && !rooms.includes(room as Room)) await socket.leave(room)
  await socket.join(rooms)
}

/** Rooms that a client asked for and was let into; the rest follow from who it is. */
const ASKED = /^company:\d+:(ticket|status|notification|campaign)\b/
const isByRight = (room: string) => room.startsWith('company:') && !ASKED.test(room)
