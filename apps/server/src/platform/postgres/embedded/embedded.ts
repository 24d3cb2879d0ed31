import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ConfigError } from '../../config.ts'
import { type FolderLock, openDataDir, tryLock, waitForLock } from '../../startup/data-dir-lock.ts'
import { repeat } from '../../work/repeat.ts'
import { type Cluster, findCluster, openCluster } from './cluster.ts'

import { hasRoom } from './room.ts'
import { hasNoRoom } from './run.ts'
import { askToStop, type Server, serverOf, startServer, stopServer } from './server.ts'

/** The database of DATA_DIR, which this process and perhaps others use. */
export interface Embedded {
  /** A connection string for `pg`. */
  url: string
  cluster: Cluster
  /** True where no other process was on the folder: what a process kept in the database of itself is of the past. */
  isAlone: boolean
  /** Restarts the server when it dies. Its failures are logged. */
  watch(log: Logger): void
  /** Leaves the database; whoever is last stops its server. */
  close(): Promise<void>
}

const FULL = 'the disk of DATA_DIR is full: what is written is refused until there is room'

/** Held for as long as a process uses the folder. */
const USE = 'lock'
/** Held while a process comes, leaves, or restarts the server: of two, one comes after the other. */
const DOOR = 'lock.door'

/** A restore is under way in it, or was broken off. */
export const RESTORING = 'restoring'

const LOOK_MS = 1_000

interface Opening {
  shared: boolean
  before?: () => Promise<void>
  settings?: Record<string, string>
}

/**
 * Opens the database of DATA_DIR, made and started when there is none. With `shared`, several processes may have the
 * folder at once (ROLES, beside Redis), and whoever comes later finds the server that runs; without, a second process
 * is refused. A server that outlived its processes is stopped and started anew, since its settings are unknown.
 * `settings` are PostgreSQL's, beside those of `server.ts`: of the process that starts the server. `before` is called when the folder is this process's own and nothing was made in it yet. Throws ConfigError in one line.
 */
export async function openEmbedded(
  dataDir: string,
  { shared, before, settings = {} }: Opening,
): Promise<Embedded> {
  await openDataDir(dataDir)
  if (existsSync(join(dataDir, RESTORING)))
    throw new ConfigError(
      `DATA_DIR ${dataDir} holds a restore that has not come to its end: where none is under way, empty the folder and restore again`,
    )
  return passing(dataDir, async () => {
    const alone = tryLock(dataDir, USE, 'exclusive')
    const use = shared ? asOneOfSeveral(dataDir, alone) : alone
    if (!use) throw inUse(dataDir)
    try {
      writeFileSync(join(dataDir, 'lock.pid'), String(process.pid))
      await before?.()
      const cluster = await openCluster(dataDir)
      if (alone) await stopOrphan(cluster)
      const server = serverOf(cluster) ?? (await startServer(cluster, { settings }))
      return used(dataDir, { cluster, server, use, settings, isAlone: alone !== null })
    } catch (error) {
      use.release()
      throw error
    }
  })
}

/**
 * The database of DATA_DIR for a command that works beside the product, or alone where none runs. Throws ConfigError
 * where there is no database, unless it may be made.
 */
export async function visitEmbedded(dataDir: string, { make }: { make: boolean }): Promise<EmbeddedGuest> {
  await openDataDir(dataDir)
  if (!make && !findCluster(dataDir)) throw new ConfigError(`DATA_DIR ${dataDir} holds no database`)
  if (!(await isInUse(dataDir))) return openEmbedded(dataDir, { shared: false })
  for (const end = performance.now() + COMING_MS; performance.now() < end; await sleep(100)) {
    const cluster = findCluster(dataDir)
    const server = cluster && serverOf(cluster)
    if (cluster && server?.isReady) return { url: server.url, cluster, close: async () => {} }
  }
  throw new ConfigError(`DATA_DIR ${dataDir} is in use, but its database does not answer`)
}

type EmbeddedGuest = Pick<Embedded, 'url' | 'cluster' | 'close'>

const isInUse = (dataDir: string) =>
  passing(dataDir, async () => {
    const alone = tryLock(dataDir, USE, 'exclusive')
    alone?.release()
    return alone === null
  })

/** A product that has just been started may still make its database. */
const COMING_MS = 30_000

async function passing<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const door = await waitForLock(dataDir, DOOR)
  try {
    return await work()
  } finally {
    door.release()
  }
}

function asOneOfSeveral(dataDir: string, alone: FolderLock | null) {
  alone?.release()
  return tryLock(dataDir, USE, 'shared')
}

function inUse(dataDir: string) {
  let owner = 'unknown'
  try {
    owner = readFileSync(join(dataDir, 'lock.pid'), 'utf8')
  } catch {}
  return new ConfigError(
    `DATA_DIR ${dataDir} is in use by process ${owner}: stop it, or give this one a folder of its own`,
  )
}

async function stopOrphan(cluster: Cluster) {
  const orphan = serverOf(cluster)
  if (orphan) await stopServer(cluster, orphan)
}

interface Used {
  settings: Record<string, string>
  cluster: Cluster
  server: Server
  use: FolderLock
  isAlone: boolean
}

function used(dataDir: string, { cluster, server, use, settings, isAlone }: Used): Embedded {
  let watching: ReturnType<typeof repeat> | undefined

  /** Whoever could have the folder alone is the last. */
  const isLast = () => {
    use.release()
    const alone = tryLock(dataDir, USE, 'exclusive')
    alone?.release()
    return alone !== null
  }

  // a process that ends without closing lets the server end by itself
  const abandon = () => {
    const running = serverOf(cluster)
    if (isLast() && running) askToStop(cluster, running.pid, 'SIGINT')
  }
  process.once('exit', abandon)

  return {
    url: server.url,
    cluster,
    isAlone,
    watch: log => {
      watching = repeat(LOOK_MS, lookAfter({ dataDir, cluster, server, settings }, log), log)
    },
    async close() {
      await watching?.stop()
      process.off('exit', abandon)
      await passing(dataDir, async () => {
        const running = serverOf(cluster)
        if (isLast() && running) await stopServer(cluster, running)
      })
    },
  }
}

/** Looks once whether the server lives and has room; one that is gone is started again. What lasts is logged once. */
function lookAfter(
  { dataDir, cluster, server, settings }: Pick<Used, 'cluster' | 'server' | 'settings'> & { dataDir: string },
  log: Logger,
) {
  let isGone = false
  let isFull = false

  function noteRoom(isThere: boolean) {
    if (isThere === !isFull) return
    isFull = !isThere
    if (isFull) log.error(FULL)
    else log.info('the disk of DATA_DIR has room again')
  }

  async function revive() {
    if (serverOf(cluster)) return
    if (!isGone) log.warn('the database server is gone: it is started again')
    isGone = true
    await startServer(cluster, { settings, before: server }).catch(error => {
      if (!hasNoRoom(error)) throw error
      noteRoom(false)
    })
    if (!serverOf(cluster)) return
    isGone = false
    log.info('the database server runs again')
  }

  return async () => {
    const isThere = await hasRoom(dataDir)
    // a quota may be used up where the disk has room: that is known from a start that failed
    if (!isThere || serverOf(cluster)) noteRoom(isThere)
    if (!serverOf(cluster)) await passing(dataDir, revive)
  }
}
