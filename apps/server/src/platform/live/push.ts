import { channelName } from '@balcao/contract/kit.ts'
import type { Logger } from 'pino'
import { Server, type Socket } from 'socket.io'
import { type Exchange, OF_PROCESSES } from './exchange.ts'
import { everyone, masters, publishGap, type SendPush, screens, visitors } from './live.ts'
import { adapterOver } from './socketio/exchange.ts'
import { type Known, RECOVERY_MS } from './socketio/recovery.ts'

/** Channels are typed by the contract, where they are pushed; here they are names. */
type Sent = Record<string, (payload: unknown) => void>
type Received = Record<string, (asked: unknown, done?: unknown) => void>
export type LiveServer = Server<Received, Sent, object, Known>
export type LiveSocket = Socket<Received, Sent, object, Known>

/** How long (ms) a socket may stay open without identifying itself. */
const SILENT_MS = 10_000
/** A room without members. */
const EMPTY_ROOM = 'nobody'

/** The sending side of live channels: every process has it, also one that answers no HTTP. */
export interface Pushes {
  server: LiveServer
  push: SendPush
  /** Resolves when this process receives what others push. */
  begin(): Promise<void>
  /** Closes what connects this process with the others; the server is closed before. */
  close(): Promise<void>
}

export async function openPushes(
  redisUrl: string | null,
  installation: string,
  log: Logger,
  exchange: Exchange | null = null,
): Promise<Pushes> {
  // Redis' client is a third of all modules: an installation without Redis does not load it
  const redis = redisUrl
    ? await (await import('./socketio/redis.ts')).openRedis(redisUrl, installation, log)
    : null
  const server: LiveServer = new Server({
    path: '/socket.io/',
    serveClient: false,
    maxHttpBufferSize: 100_000,
    connectTimeout: SILENT_MS,
    // who is restored was authenticated before (socketio/recovery.ts)
    connectionStateRecovery: { maxDisconnectionDuration: RECOVERY_MS, skipMiddlewares: true },
    ...((redis && { adapter: redis.adapterOf }) ?? (exchange && { adapter: adapterOver(exchange) })),
  })
  const push = pushOver(server, log)
  exchange?.onLoss(company => {
    if (company !== OF_PROCESSES) publishGap(push, roomsOfLoss(company))
  })
  return {
    server,
    push,
    begin: async () =>
      redis?.begin(
        () => server.to(EMPTY_ROOM).emit('beat', {}),
        () => publishGap(push, screens),
      ),
    close: async () => redis?.close(),
  }
}

const roomsOfLoss = (company: number | null) =>
  company === null ? screens : company === 0 ? masters : [everyone(company), visitors(company), masters]

function pushOver(server: LiveServer, log: Logger): SendPush {
  const push: SendPush = (channel, rooms, payload, except = []) => {
    const list = Array.isArray(rooms) ? rooms : [rooms]
    const first = list[0]
    if (!first) return
    const companyId = Number(first.split(':')[1])
    // masters receive what concerns any company, on its own channel
    if (
      [...list.slice(1), ...except].some(
        room => room !== masters && !room.startsWith(`company:${companyId}:`),
      )
    )
      throw new Error(`rooms of two companies: ${list}`)
    const { success, data, error } = channel.payload.safeParse(payload)
    if (success) {
      log.debug({ companyId, channel: channel.name }, 'pushed')
      return void server.to(list).except(except).emit(channelName(channel, companyId), data)
    }
    // the rows are committed: the screens that missed the push fetch
    log.error({ err: error, channel: channel.name }, 'a push had the wrong shape')
    publishGap(push, list)
  }
  return push
}
