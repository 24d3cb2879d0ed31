import { cut } from '@balcao/contract/cut.rules.ts'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Phase, Platform } from '../app.ts'
import { Refusal } from '../errors.ts'
import type { WatchedServer } from '../observe/servers.ts'
import { VERSION } from '../observe/version.ts'
import { notLater } from '../outbound/flow.ts'
import { hasRoom } from '../postgres/embedded/room.ts'
import type { WebBuild } from './web-build.ts'

/** Proxies ask every few seconds, and wait no longer for an answer. */
const READY_MS = 2_000

const STOPPING = 'the process is stopping'

/** Before that it refuses connections: a proxy that asks nothing would send calls to whatever answers on the port. */
const notServing = {
  starting: 'the process is starting',
  serving: '',
  leaving: STOPPING,
  stopping: STOPPING,
} satisfies Record<Phase, string>

/**
 * The operator's pages: is it serving, and how much. Redis is reported and does not count: without it each process goes on
 * by itself. Nor does a full disk or a lost server of files (`files`), or a lost mail server (`mail`): what needs neither goes on. `web`: why the web app
 * is not served; the API is.
 */
export function serveOps(
  app: FastifyInstance,
  platform: Platform,
  web: Pick<WebBuild, 'lacks'> | null = null,
) {
  app.get('/live', { logLevel: 'silent' }, async (_request, reply) => reply.send({ status: 'ok' }))

  app.get('/ready', { logLevel: 'silent' }, async (_request, reply) => {
    const why = notServing[platform.phase()] || (await databaseFailure(platform))
    return reply.code(why ? 503 : 200).send({ status: why ? 'unavailable' : 'ok', ...(why && { why }) })
  })

  app.get('/health', { logLevel: 'silent' }, async (_request, reply) => {
    const failure = await platform.database.ping().then(
      () => null,
      (error: Error & { code?: string }) => error.code ?? error.name,
    )
    const database = failure === null ? 'up' : 'down'
    const { databaseUrl, dataDir } = platform.config
    // a server elsewhere has a disk of its own
    const isFull = !databaseUrl && !(await hasRoom(dataDir))
    const why = whyNot(notServing[platform.phase()] === STOPPING, failure, isFull)
    const redis = platform.signals.redis()
    const files = stateOfFiles(platform.files)
    const mail = isDown(platform.mail.server) ? 'down' : null
    return reply.code(why ? 503 : 200).send({
      status: why ? 'unavailable' : 'ok',
      ...{
        version: VERSION,
        database,
        ...(redis && { redis }),
        ...(files && { files }),
        ...(mail && { mail }),
        ...(isFull && { disk: 'full' }),
        ...(web?.lacks && { web: web.lacks }),
      },
      ...(platform.config.drill && { drill: true }),
      ...(why && { why }),
    })
  })

  // what arrived of the call itself, for `npm run doctor`: whether the proxies in front are believed
  app.get('/health/proxy', { logLevel: 'silent' }, async ({ protocol, host, headers, ips }, reply) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().flatMap(line => line.split(','))
    const believed = Math.max(0, (ips?.length ?? 1) - 1)
    return reply.send({ protocol, host: cut(host ?? '', 300), forwarded: forwarded.length, believed })
  })

  app.get('/metrics', { logLevel: 'silent' }, async (request, reply) => {
    if (!mayRead(platform, request)) throw new Refusal('ERR_NOT_FOUND')
    return reply.type('text/plain; version=0.0.4').send(await platform.metrics.render())
  })
}

function stateOfFiles({ isFull, isMoving, server }: Platform['files']) {
  if (isFull()) return 'full'
  if (isDown(server)) return 'down'
  return isMoving() ? 'moving' : null
}

const isDown = (server: WatchedServer | null) => server?.state()?.isUp === false

/** Anybody may ask: a code, not the words of an error, which may name hosts and users. */
function whyNot(stopping: boolean, failure: string | null, isFull: boolean): string {
  if (stopping) return STOPPING
  if (failure !== null && isFull)
    return 'the disk of DATA_DIR is full, and the database does not run until there is room'
  return failure === null ? '' : `the database does not answer (${failure})`
}

const databaseFailure = ({ database }: Platform) =>
  notLater(READY_MS, database.ping(), 'no answer').then(
    () => '',
    (error: Error & { code?: string }) => whyNot(false, error.code ?? error.name, false),
  )

/** The same pages alone, for a process that answers no people. */
export async function openOps(platform: Platform): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
  })
  serveOps(app, platform)
  const nothing = { error: 'ERR_NOT_FOUND' }
  app.setNotFoundHandler((_request, reply) => void reply.code(404).send(nothing))
  app.setErrorHandler((_error, _request, reply) => void reply.code(404).send(nothing))
  await app.ready()
  return app
}

/** A proxy on this machine acts for other callers: what it forwards does not count as this machine. */
const mayRead = ({ metrics }: Platform, { ip, headers, hostname }: FastifyRequest) =>
  metrics.mayRead(ip, headers.authorization, { forwarded: isPassedOn(headers) || !HERE.test(hostname) })

const isPassedOn = (headers: FastifyRequest['headers']) =>
  Object.keys(headers).some(name => name.startsWith('x-forwarded') || PROXIES.has(name))

/** What proxies add of themselves. */
const PROXIES = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
])
/** As this machine calls itself. */
const HERE = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i
