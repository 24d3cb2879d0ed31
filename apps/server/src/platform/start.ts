import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { type Claims, openAccess } from './access/access.ts'
import { openSecrets } from './access/secrets.ts'
import type { Platform, Role } from './app.ts'
import type { Config } from './config.ts'
import { type Feature, itemsOf } from './features.ts'
import { type FileMeter, openFiles } from './files/files.ts'
import { agreeOnFiles } from './files/identity.ts'
import { orphans } from './files/orphans.ts'
import { removal } from './files/served.ts'
import { openHttp } from './http/http.ts'
import { openOps } from './http/ops.ts'
import { publishGap, screens } from './live/live.ts'
import { involving, publisher } from './live/publish.ts'
import { openPushes } from './live/push.ts'
import { createSignals } from './live/signals.ts'
import { type OpenSockets, openSockets, VIEWER_TOPIC } from './live/sockets.ts'
import { Memory } from './memory.ts'
import { createMetrics } from './observe/metrics.ts'
import { openMail } from './outbound/mail.ts'
import { openOutbound } from './outbound/outbound.ts'
import { buildLateIndexes } from './postgres/late-indexes.ts'
import { isBegun, migrate } from './postgres/migrate.ts'
import { scopes as makeScopes, type Scopes } from './scope.ts'
import { redisAnswers, watchReturns } from './startup/wait-for-servers.ts'
import { lookForDue } from './work/due.ts'
import { openJobs } from './work/jobs.ts'
import { forgettingOld } from './work/retention.ts'

export interface Product {
  features: Feature[]
  roles: Role[]
  /** The viewers of some sessions, in their order: read from the database, at most every few seconds per session. */
  loadViewers(scopes: Scopes, asked: Claims[]): Promise<(Viewer | null)[]>
  /** Counts the files of each company. */
  meter(scopes: Scopes): FileMeter
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

const webRoot = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/**
 * Opens everything in order and serves. `stop` closes it in the opposite order and loses nothing; the database stays
 * open. Throws ConfigError when the environment, the database or DATA_DIR cannot be used.
 */
export async function startProduct(
  config: Config,
  product: Product,
  { database, log, isAlone = false }: Pick<Platform, 'database' | 'log'> & { isAlone?: boolean },
): Promise<Running> {
  if (config.redisUrl) await redisAnswers(config.redisUrl, log)
  // before anything is changed
  const secrets = await openSecrets(config, () => isBegun(database))
  await migrate(database, { log })
  await agreeOnFiles(database, config, log)
  return serve(product, await openPlatform(product, { config, database, log, isAlone, secrets }))
}

type Base = Pick<Platform, 'config' | 'database' | 'log' | 'isAlone' | 'secrets'>

interface Opened {
  platform: Platform
  sockets: OpenSockets
  /** From now on `platform.stopping()` is true. */
  beginStop(): void
}

/** The first stage: everything that features use. Nothing runs yet, and no request is answered. */
async function openPlatform(product: Product, base: Base): Promise<Opened> {
  const { config, database, log, secrets } = base
  const { features } = product
  let isStopping = false
  const stopping = () => isStopping
  const memory = new Memory()
  const pushes = await openPushes(config, secrets.installation, log)
  const signals = await createSignals(config, secrets.installation, log)
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
  const platform: Platform = {
    ...base,
    instance: randomUUID(),
    files: await openFiles(config, product.meter(scopes), log),
    outbound: openOutbound(config),
    mail: openMail(config, secrets),
    metrics: createMetrics(config, { statements: database.statements, sockets: sockets.count }),
    ...{ memory, access, scopes, sockets, signals, jobs, stopping },
  }
  return {
    platform,
    sockets,
    beginStop() {
      isStopping = true
    },
  }
}

/** The second stage: HTTP, sockets, jobs and roles begin. */
async function serve(product: Product, { platform, sockets, beginStop }: Opened): Promise<Running> {
  const { config, database, signals, jobs } = platform
  const { features } = product
  const http = await openDoors(features, platform, sockets)
  signals.listen(VIEWER_TOPIC, userId => void sockets.refresh(Number(userId)))
  const stopWatching = watchReturns(database, () => publishGap(sockets.push, screens))
  await jobs.start(
    [removal, ...itemsOf(features, 'job')],
    [orphans, forgettingOld(itemsOf(features, 'lifetime')), ...itemsOf(features, 'chore')],
    platform,
  )
  const notes = await product.seed(platform)
  // a process without the role `web` still answers /health and /metrics
  const listening = http ?? (await openOps(platform))
  const url = await listening.listen({ port: config.port, host: config.host })
  const running = await startRoles(product, platform)

  async function stop() {
    beginStop()
    stopWatching()
    for (const role of running.reverse()) await role.stop()
    await sockets.close()
    await listening.close()
    await jobs.stop()
    await platform.outbound.close()
    platform.mail.close()
    await signals.close()
  }
  return { platform, url, notes, stop }
}

/** HTTP and the sockets attached to it, where this process has the role `web`; pushes begin in any process. */
async function openDoors(features: Feature[], platform: Platform, sockets: OpenSockets) {
  const guards = itemsOf(features, 'guard')
  const offered = { served: itemsOf(features, 'route'), raw: itemsOf(features, 'raw'), guards }
  const http = platform.config.roles.has('web') ? await openHttp(platform, offered, webRoot) : null
  if (http)
    sockets.receive(http.server, {
      joins: itemsOf(features, 'join'),
      async lookedAt(viewer, route, params) {
        for (const { check } of guards) await check(platform, viewer, route, params)
      },
    })
  await sockets.begin()
  return http
}

async function startRoles({ features, roles }: Product, platform: Platform) {
  const chosen = platform.config.roles
  const running: { stop(): Promise<void> }[] = []
  if (chosen.has('worker'))
    running.push(
      buildLateIndexes(platform.database, itemsOf(features, 'lateIndex'), platform.log),
      lookForDue(itemsOf(features, 'due'), platform, platform.signals),
    )
  for (const role of roles)
    if (role.name === 'any' || chosen.has(role.name)) running.push(await role.start(platform))
  return running
}
