import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { DestinationStream, Logger } from 'pino'
import { type Access, type Claims, openAccess } from './access.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db.ts'
import { lookForDue } from './due.ts'
import type { Feature } from './features.ts'
import { agreeOnFiles } from './files.place.ts'
import { removal } from './files.served.ts'
import { type Files, openFiles } from './files.ts'
import { openOps } from './http.ops.ts'
import { openHttp } from './http.ts'
import { type Job, type Jobs, openJobs } from './jobs.ts'
import { forgetKept } from './kept.ts'
import { screens, tellGap } from './live.ts'
import { createLog } from './log.ts'
import { type Mail, openMail } from './mail.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { migrate } from './migrate.ts'
import { type Outbound, openOutbound } from './outbound.ts'
import { databaseAnswers, redisAnswers, watchReturns } from './patience.ts'
import { involve, publisher } from './publish.ts'
import { scopes as makeScopes, type Scopes } from './scope.ts'
import { openSecrets, type Secrets } from './secrets.ts'
import { createSignals, type Signals } from './signals.ts'
import { openSockets, type Sockets, VIEWER_TOPIC } from './sockets.ts'

/** What the house offers to its features. */
export interface Platform {
  /** This process, as others know it; another after each start. */
  instance: string
  config: Config
  log: Logger
  database: Database
  secrets: Secrets
  files: Files
  outbound: Outbound
  mail: Mail
  access: Access
  scopes: Scopes
  sockets: Sockets
  signals: Signals
  jobs: Jobs
  metrics: Metrics
  /** True from the moment a stop was asked for. */
  stopping(): boolean
}

/** Work that a role does beside answering HTTP, such as running the channels; `any` is done by every process. */
export interface Role {
  name: 'web' | 'worker' | 'channels' | 'any'
  start(platform: Platform): Promise<{ stop(): Promise<void> }>
}

export interface Product {
  features: Feature[]
  roles: Role[]
  /** Who stands behind a session: read from the database, at most every few seconds a session. */
  loadViewer(scopes: Scopes, claims: Claims): Promise<Viewer | null>
  /** Data that a first start needs. Answers what the operator should know of it, a line each. */
  seed(platform: Platform): Promise<string[]>
}

export interface Running {
  platform: Platform
  url: string
  /** What the operator should know, a line each. */
  said: string[]
  stop(): Promise<void>
}

const webRoot = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** Opens everything in order and serves; `stop` closes it in the opposite order and loses nothing. */
export async function startProduct(
  config: Config,
  product: Product,
  given: { database?: Database; logTo?: DestinationStream } = {},
): Promise<Running> {
  const log = createLog(config, given.logTo)
  forgetKept()
  const database =
    given.database ?? (await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }))
  if (config.databaseUrl && !given.database) await databaseAnswers(database, config.databaseUrl, log)
  if (config.redisUrl) await redisAnswers(config.redisUrl, log)
  await migrate(database, { log })
  await agreeOnFiles(database, config, log)

  let stopping = false
  const has = <T>(pick: (feature: Feature) => T[] | undefined) =>
    product.features.flatMap(feature => pick(feature) ?? [])
  const recorders = has(feature => feature.records)
  const jobs = await openJobs({ database, log, working: config.roles.has('worker') })
  const scopes = makeScopes({
    database,
    log,
    timeZone: config.tzDefault,
    enqueue: jobs.enqueue,
    publish: (scope, payload) => publish(scope, payload),
    involve: (tx, payload) => involve(product.features, tx, payload),
    record: async (tx, news) => {
      for (const record of recorders) await record(tx, news, platform)
    },
  })
  const secrets = await openSecrets(config)
  const access = openAccess(secrets.jwt, claims => product.loadViewer(scopes, claims))
  const signals = await createSignals(config, secrets.installation, log)
  const platform: Platform = {
    instance: randomUUID(),
    config,
    log,
    database,
    secrets,
    files: await openFiles(config, log),
    outbound: openOutbound(config),
    mail: openMail(config, secrets),
    access,
    scopes,
    signals,
    jobs,
    metrics: createMetrics(config, {
      statements: database.statements,
      sockets: () => platform.sockets.count(),
    }),
    sockets: undefined as never, // opened below, once there is an HTTP server to attach to
    stopping: () => stopping,
  }
  const publish = publisher(platform, product.features)
  const http = config.roles.has('web')
    ? await openHttp(
        platform,
        {
          served: has(feature => feature.routes),
          raw: has(feature => feature.raw),
          guards: has(feature => feature.guards),
        },
        webRoot,
      )
    : null
  platform.sockets = await openSockets(http?.server ?? null, {
    config,
    installation: secrets.installation,
    access,
    scopes,
    joins: has(feature => feature.joins),
    log,
  })
  signals.listen(VIEWER_TOPIC, userId => void platform.sockets.refresh(Number(userId)))
  const stopWatching = watchReturns(database, () => tellGap(platform.sockets.push, screens))
  await jobs.start(
    [removal, ...has(feature => feature.jobs)] as unknown as Job<object>[],
    has(feature => feature.chores),
    platform,
  )
  const said = await product.seed(platform)
  // a process without people still says how it is
  const listening = http ?? (await openOps(platform))
  const url = await listening.listen({ port: config.port, host: config.host })
  const running: { stop(): Promise<void> }[] = []
  if (config.roles.has('worker'))
    running.push(
      lookForDue(
        has(feature => feature.due),
        platform,
        signals,
      ),
    )
  for (const role of product.roles)
    if (role.name === 'any' || config.roles.has(role.name)) running.push(await role.start(platform))

  async function stop() {
    stopping = true
    stopWatching()
    for (const role of running.reverse()) await role.stop()
    await platform.sockets.close()
    await listening.close()
    await jobs.stop()
    await platform.outbound.close()
    platform.mail.close()
    await signals.close()
    if (!given.database) await database.close()
  }
  return { platform, url, said, stop }
}
