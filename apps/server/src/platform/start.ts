import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Claims, openAccess } from './access/access.ts'
import { askPasswordLength } from './access/passwords.ts'
import { agreeOnKeys, refuseOtherSecret } from './access/sealing-keys.ts'
import { openSecrets } from './access/secrets.ts'
import type { Phase, Platform, Role } from './app.ts'
import { sendLog } from './backup/log.ts'
import { followDatabaseClock, readDatabaseClock } from './clock.ts'
import { type Config, usesExchange } from './config.ts'
import { type Feature, itemsOf } from './features.ts'
import { type FileMeter, openFiles } from './files/files.ts'
import { agreeOnFiles } from './files/identity.ts'
import { orphans } from './files/orphans.ts'
import { removal } from './files/served.ts'
import { openHttp } from './http/http.ts'
import { openOps } from './http/ops.ts'
import { type WebBuild, webBuild } from './http/web-build.ts'
import { Exchange } from './live/exchange.ts'
import { publishGap, screens } from './live/live.ts'
import { involving, publisher } from './live/publish.ts'
import { openPushes } from './live/push.ts'
import { createSignals } from './live/signals.ts'
import { type OpenSockets, openSockets, VIEWER_TOPIC } from './live/sockets.ts'
import { Memory } from './memory.ts'
import { createMetrics } from './observe/metrics.ts'
import { OutsideCalls } from './outbound/calls.ts'
import { openMail } from './outbound/mail.ts'
import { openOutbound } from './outbound/outbound.ts'
import type { RedisAddress } from './outbound/redis.sentinel.ts'
import { placeOfRedis } from './outbound/sentinels.ts'
import { nightlyBackup } from './postgres/embedded/nightly.ts'
import { buildLateIndexes } from './postgres/late-indexes.ts'
import { isBegun, migrate } from './postgres/migrate.ts'
import { scopes as makeScopes, type Scopes } from './scope.ts'
import { redisAnswers, watchReturns } from './startup/wait-for-servers.ts'
import { lookForDue } from './work/due.ts'
import { choreFigures, jobFigures } from './work/job-figures.ts'
import { openJobs } from './work/jobs.ts'
import { forgettingOld } from './work/retention.ts'

export interface Product {
  features: Feature[]
  roles: Role[]
  /** The viewers of some sessions, in their order: read from the database, at most every few seconds per session. */
  loadViewers(scopes: Scopes, asked: Claims[]): Promise<(Viewer | null)[]>
  /** Counts the files of each company. */
  meter(scopes: Scopes): FileMeter
  /** Throws ConfigError where what the database holds may not be served as `config` says. */
  admit(config: Config, database: Platform['database']): Promise<void>
  /** Data that a first start needs. Answers what the operator should know of it, one line each. */
  seed(platform: Platform): Promise<string[]>
}

export interface Running {
  platform: Platform
  url: string
  /** What the operator should know, one line each. */
  notes: string[]
  stop(): Promise<void>
}

interface Given extends Pick<Platform, 'database' | 'log'> {
  isAlone?: boolean
  /** The web app to serve; what is there where nothing is given. */
  web?: WebBuild
  /** Before a database of an earlier version is changed. */
  beforeUpgrade?: ((pending: string[]) => Promise<void>) | undefined
}

/**
 * Opens everything in order and serves. `stop` closes it in the opposite order and loses nothing; the database stays
 * open. Throws ConfigError when the environment, the database or DATA_DIR cannot be used.
 */
export async function startProduct(
  config: Config,
  product: Product,
  { database, log, isAlone = false, beforeUpgrade, web = webBuild() }: Given,
): Promise<Running> {
  const redis = config.redisUrl
    ? await (await import('./outbound/redis.sentinel.ts')).openRedisAddress(config.redisUrl)
    : null
  if (redis) await redisAnswers(redis.url, log, placeOfRedis(config.redisUrl!))
  await readDatabaseClock(database)
  // before anything is changed
  const opened = await openSecrets(config, () => isBegun(database))
  const sealed = itemsOf(product.features, 'sealed')
  await refuseOtherSecret(database, opened, sealed)
  await migrate(database, { log, before: beforeUpgrade })
  await product.admit(config, database)
  const secrets = await agreeOnKeys(database, opened, sealed)
  await agreeOnFiles(database, config, log)
  if (config.s3) await (await import('./files/s3.ts')).s3Accepts(config.s3)
  return serve(product, await openPlatform(product, { config, database, log, isAlone, secrets }, redis), web)
}

type Base = Pick<Platform, 'config' | 'database' | 'log' | 'isAlone' | 'secrets'>

interface Opened {
  platform: Platform
  sockets: OpenSockets
  enter(phase: Phase): void
  /** Everything that uses it is closed. */
  closed(): void
}

/** The first stage: everything that features use. Nothing runs yet, and no request is answered. */
async function openPlatform(product: Product, base: Base, redis: RedisAddress | null): Promise<Opened> {
  const { config, database, log, secrets } = base
  const { features } = product
  let phase: Phase = 'starting'
  const stopping = () => phase === 'stopping'
  const memory = new Memory()
  askPasswordLength({ memory }, config.passwordLength)
  const exchange = await openExchange(config, database, log)
  const redisUrl = redis?.url ?? null
  const pushes = await openPushes(redisUrl, secrets.installation, log, exchange)
  const signals = await createSignals({ redisUrl }, secrets.installation, log, exchange)
  const jobs = openJobs({ database, log, working: config.roles.has('worker') })
  const involve = involving(features)
  const scopes: Scopes = makeScopes({
    database,
    memory,
    log,
    timeZone: config.tzDefault,
    enqueue: jobs.enqueue,
    publish: publisher(features, { push: pushes.push, memory, signals, secrets, log }),
    involve: (tx, emitted) =>
      involve(tx, emitted, { backendUrl: config.backendUrl, scopes, memory, signals, log, stopping }),
  })
  const access = openAccess(secrets.jwt, asked => product.loadViewers(scopes, asked))
  const sockets = openSockets(pushes, { access, scopes, log })
  const calls = new OutsideCalls()
  const files = await openFiles(config, product.meter(scopes), log, calls)
  const mail = openMail(config, secrets, log, { calls })
  const platform: Platform = {
    ...base,
    instance: randomUUID(),
    outbound: openOutbound(config, { calls }),
    metrics: metricsOf(features, { config, database, log, sockets, files, mail, signals }, calls),
    ...{ files, mail, memory, access, scopes, sockets, signals, jobs, stopping },
    phase: () => phase,
  }
  return {
    platform,
    sockets,
    enter(next) {
      phase = next
    },
    closed: () => redis?.close(),
  }
}

/** What carries pushes and signals where Redis does not; null for a process that is alone. */
async function openExchange(config: Config, { url }: Platform['database'], log: Logger) {
  if (!usesExchange(config)) return null
  const exchange = new Exchange(url, log, { hasScreens: config.roles.has('web') })
  await exchange.open()
  return exchange
}

type Measured = Pick<Platform, 'config' | 'database' | 'log' | 'sockets' | 'files' | 'mail' | 'signals'>

function metricsOf(
  features: Feature[],
  { config, database, log, sockets, files, mail, signals }: Measured,
  calls: OutsideCalls,
) {
  const measured = {
    outside() {
      const { ended, underWay } = calls.figures()
      return {
        ended: [...ended, { target: 'database', result: 'failed', value: database.losses() }],
        underWay,
      }
    },
    ...{ statements: database.statements, pool: database.pool, sockets: sockets.count },
    servers() {
      const redis = signals.redis()
      const up = { files: files.server?.state()?.isUp, mail: mail.server?.state()?.isUp }
      return { ...known(up), ...(redis && { redis: redis === 'up' }) }
    },
    disk: () =>
      statfs(config.dataDir).then(
        ({ blocks, bavail, bsize }) => ({ size: blocks * bsize, free: bavail * bsize }),
        () => null,
      ),
  }
  const groups = [jobFigures, choreFigures, ...itemsOf(features, 'figures')]
  return createMetrics(config, measured, { groups, database, log })
}

/** Without the servers that are not set up, or not asked yet. */
const known = (up: Record<string, boolean | undefined>): Record<string, boolean> =>
  Object.fromEntries(Object.entries(up).flatMap(([name, isUp]) => (isUp === undefined ? [] : [[name, isUp]])))

/** The second stage: HTTP, sockets, jobs and roles begin. */
async function serve(
  product: Product,
  { platform, sockets, enter, closed }: Opened,
  web: WebBuild,
): Promise<Running> {
  const { config, database, signals, jobs } = platform
  const { features } = product
  const http = await openDoors(features, platform, sockets, web)
  signals.listen(VIEWER_TOPIC, userId => void sockets.refresh(Number(userId)))
  const stopFollowing = followDatabaseClock(database)
  const stopWatching = watchReturns(database, () => publishGap(sockets.push, screens))
  await jobs.start(
    [removal, ...itemsOf(features, 'job')],
    [orphans, nightlyBackup, forgettingOld(itemsOf(features, 'lifetime')), ...itemsOf(features, 'chore')],
    platform,
  )
  const notes = await product.seed(platform)
  // a process without the role `web` still answers /health and /metrics
  const listening = http ?? (await openOps(platform))
  void platform.files.server?.look()
  void platform.mail.server?.look()
  const url = await listening.listen({ port: config.port, host: config.host })
  const stopSending = await collectorOf(platform)
  const running = await startRoles(product, platform)
  enter('serving')

  async function stop() {
    enter('leaving')
    if (http) await sleep(config.drainSeconds * 1_000)
    enter('stopping')
    stopWatching()
    stopFollowing()
    for (const role of running.reverse()) await role.stop()
    await closeDoors(listening, sockets)
    await jobs.stop()
    await platform.outbound.close()
    platform.mail.close()
    platform.files.close()
    await signals.close()
    closed()
    await stopSending()
  }
  return { platform, url, notes, stop }
}

/** Loaded only where there is a collector: its libraries take memory and a tenth of a second. */
async function collectorOf({ config, instance, metrics }: Platform): Promise<() => Promise<void>> {
  const endpoint = config.otelExporterOtlpEndpoint
  if (!endpoint) return async () => {}
  return (await import('./observe/otlp.ts')).sendToCollector({ config, endpoint, instance, metrics })
}

/** HTTP and the sockets attached to it, where this process has the role `web`; pushes begin in any process. */
async function openDoors(features: Feature[], platform: Platform, sockets: OpenSockets, web: WebBuild) {
  const guards = itemsOf(features, 'guard')
  const offered = { served: itemsOf(features, 'route'), raw: itemsOf(features, 'raw'), guards }
  const http = platform.config.roles.has('web') ? await openHttp(platform, offered, web) : null
  if (http)
    sockets.receive(http.server, {
      joins: itemsOf(features, 'join'),
      reports: itemsOf(features, 'reports'),
      tools: platform,
      async lookedAt(viewer, route, params) {
        for (const { check } of guards) await check(platform, viewer, route, params)
      },
    })
  await sockets.begin()
  return http
}

/** So long an answer that has begun may take while everything closes. */
const ANSWERED_MS = 10_000

/**
 * Together: closing the sockets waits for the HTTP server, which ends under load only because each answer ends its
 * connection (`leaving` in http.ts).
 */
async function closeDoors(http: FastifyInstance, sockets: OpenSockets) {
  const cut = setTimeout(() => http.server.closeAllConnections(), ANSWERED_MS)
  await Promise.all([http.close(), sockets.close()])
  clearTimeout(cut)
}

async function startRoles({ features, roles }: Product, platform: Platform) {
  const chosen = platform.config.roles
  const running: { stop(): Promise<void> }[] = []
  if (chosen.has('worker')) {
    const sender = sendLog(platform.config, platform.database.url, platform.log)
    if (sender) running.push(sender)
    running.push(
      buildLateIndexes(platform.database, itemsOf(features, 'lateIndex'), platform.log),
      lookForDue(itemsOf(features, 'due'), platform, platform.signals),
    )
  }
  for (const role of roles)
    if (role.name === 'any' || chosen.has(role.name)) running.push(await role.start(platform))
  return running
}
