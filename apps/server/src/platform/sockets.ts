import type { Server as HttpServer } from 'node:http'
import { channelName } from '@balcao/contract/kit.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { createAdapter } from '@socket.io/redis-streams-adapter'
import type { Logger } from 'pino'
import { createClient } from 'redis'
import { Server, type Socket } from 'socket.io'
import type { Access, Claims } from './access.ts'
import type { Config } from './config.ts'
import {
  admins,
  everyone,
  type Join,
  masters,
  notAdmins,
  oneUser,
  type Push,
  queueMembers,
  type Room,
} from './live.ts'
import type { Scopes } from './scope.ts'

/** A screen that lost its line for less than this gets what it missed; after longer it loads afresh. */
const RECOVERY_MS = 2 * 60_000
/** How soon a socket whose session ended or whose rights changed is put right, should the news be lost. */
const SWEEP_MS = 4_000

/** Tells every process that a user's rights changed or its session ended; the payload is the user's id. */
export const VIEWER_TOPIC = 'viewer'

interface Doors {
  config: Config
  installation: string
  access: Access
  scopes: Scopes
  joins: Join[]
  log: Logger
}

/** Two installations may share a Redis, and number their companies alike: neither may hear the other. */
const redisNames = (installation: string) => ({
  streamName: `balcao:${installation}:live`,
  channelPrefix: `balcao:${installation}:live`,
  sessionKeyPrefix: `balcao:${installation}:session:`,
})

/** Channels are typed by the contract, where they are pushed; here they are names. */
type Told = Record<string, (payload: unknown) => void>
type Heard = Record<string, (asked: unknown, done?: unknown) => void>

interface Known {
  claims: Claims
  viewer: Viewer
}

/** Live channels. Without an HTTP server (worker, channels) it only speaks, through Redis. */
export async function openSockets(http: HttpServer | null, doors: Doors) {
  const { config, access, log } = doors
  const redis = config.redisUrl ? createClient({ url: config.redisUrl }) : null
  redis?.on('error', error => log.warn({ err: error }, 'redis'))
  if (redis) await redis.connect()
  const io = new Server<Heard, Told, object, Known>({
    path: '/socket.io/',
    serveClient: false,
    maxHttpBufferSize: 100_000,
    connectionStateRecovery: { maxDisconnectionDuration: RECOVERY_MS, skipMiddlewares: false },
    ...(redis && { adapter: createAdapter(redis as never, redisNames(doors.installation)) }),
  })
  if (http) io.attach(http)

  io.use(async (socket, next) => {
    try {
      const token = socket.handshake.auth.token
      const { viewer, claims } = await access.enter(typeof token === 'string' ? token : undefined)
      socket.data = { claims, viewer }
      next()
    } catch (error) {
      next(error instanceof Error ? error : new Error('ERR_NO_SESSION'))
    }
  })

  io.on('connection', async socket => {
    await stand(socket, socket.data.viewer)
    for (const join of doors.joins)
      socket.on(
        join.emitted as never,
        // joinNotification comes without anything asked, so that its answer stands first
        ((asked: unknown, done: unknown = asked) => answer(socket, join, asked, done)) as never,
      )
  })

  async function answer(
    socket: Socket<Heard, Told, object, Known>,
    join: Join,
    asked: unknown,
    done: unknown,
  ) {
    const { companyId } = socket.data.claims
    const scope = doors.scopes.inCompany(companyId, socket.data.viewer, socket.id)
    const room = await scope
      .transaction(tx => join.room(tx, asked))
      .catch(error => {
        log.warn({ err: error, join: join.emitted }, 'join refused')
        return null
      })
    if (room) await socket.join(room)
    if (typeof done === 'function') done({ joined: room !== null })
  }

  async function sweep(only?: number) {
    for (const socket of io.sockets.sockets.values()) {
      if (only !== undefined && socket.data.claims?.userId !== only) continue
      const viewer = await access.viewerOf(socket.data.claims).catch(() => socket.data.viewer)
      if (viewer) await stand(socket, viewer)
      else socket.disconnect(true)
    }
  }
  const sweeper = setInterval(() => void sweep(), SWEEP_MS)
  sweeper.unref()

  const push: Push = (channel, rooms, payload) => {
    const list = Array.isArray(rooms) ? rooms : [rooms]
    const first = list[0]
    if (!first) return
    const companyId = Number(first.split(':')[1])
    if (list.some(room => !room.startsWith(`company:${companyId}:`)))
      throw new Error(`rooms of two companies: ${list}`)
    io.to(list).emit(channelName(channel, companyId), channel.payload.parse(payload))
  }

  return {
    push,
    /** Puts every socket of a user right at once: new rooms, or off. */
    refresh: (userId: number) => {
      access.forget(userId)
      return sweep(userId)
    },
    count: () => io.sockets.sockets.size,
    async close() {
      clearInterval(sweeper)
      await (http ? io.close() : io.of('/').adapter.close()) // without an HTTP server io.close() throws
      if (redis?.isOpen) await redis.close()
    },
  }
}
export type Sockets = Awaited<ReturnType<typeof openSockets>>

/** The rooms a viewer belongs in, by the one policy of tickets.rules `canSee`. */
function roomsOf(viewer: Viewer): Room[] {
  const { companyId } = viewer
  const rooms = [everyone(companyId), oneUser(companyId, viewer.id)]
  if (may(viewer, 'master')) rooms.push(masters)
  if (may(viewer, 'tickets:showAll')) return [...rooms, admins(companyId)]
  rooms.push(notAdmins(companyId), ...viewer.queueIds.map(queueId => queueMembers(companyId, queueId)))
  if (viewer.authorization.allowNoQueue === 1) rooms.push(queueMembers(companyId, null))
  return rooms
}

async function stand(socket: Socket<Heard, Told, object, Known>, viewer: Viewer) {
  const rooms = roomsOf(viewer)
  for (const room of socket.rooms)
    if (room.startsWith('company:') && !ASKED.test(room) && !rooms.includes(room as Room))
      await socket.leave(room)
  await socket.join(rooms)
  socket.data.viewer = viewer
}

/** Rooms that a client asked for and was let into; the rest follow from who it is. */
const ASKED = /^company:\d+:(ticket|status|notification)\b/
