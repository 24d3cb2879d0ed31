import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/observe/log.ts'
import { openDatabase } from '../src/platform/postgres/db.ts'
import { findCluster } from '../src/platform/postgres/embedded/cluster.ts'
import { openEmbedded } from '../src/platform/postgres/embedded/embedded.ts'
import { type Server, serverOf } from '../src/platform/postgres/embedded/server.ts'
import { startProduct } from '../src/platform/start.ts'
import { product } from '../src/product.ts'
import { firstDay } from '../src/seed/first-start.ts'
import { ask } from './postgres.ts'
import { freshFolder } from './process.ts'
import { madeOnce, sharedFolder } from './run.ts'
import type { Store } from './store.ts'

/** A DATA_DIR with a database of its own, as an operator has it who gives no DATABASE_URL. */
export interface EmbeddedStore extends Store {
  dataDir: string
  /** The server that runs on it, if one does. */
  server(): Server | null
  /** The ids of all processes of PostgreSQL that work on it, the server among them (Linux). */
  postgres(): number[]
}

/** A copy of a folder on which the product began and was stopped: made once a run. */
export async function embeddedStore(): Promise<EmbeddedStore> {
  const begun = await madeOnce('embedded', beginEmbedded)
  const { path: dataDir, remove } = freshFolder()
  // the cluster belongs to the account that runs PostgreSQL: its owner is copied, too
  execFileSync('cp', ['-a', `${begun}/.`, dataDir])
  return storeIn(dataDir, remove)
}

/** The store of a folder, whatever is in it. */
export function storeIn(dataDir: string, remove: () => void): EmbeddedStore {
  const server = () => {
    const cluster = findCluster(dataDir)
    return cluster && serverOf(cluster)
  }
  const rows = (query: string) => ask(server()!.url, query)
  return {
    dataDir,
    env: { DEMO: '1', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    server,
    postgres: () => processesIn(join(dataDir, 'postgres')),
    rows,
    endLeases: async () =>
      void (await rows(`update whatsapp_leases set expires_at = now() - interval '1 second'`)),
    async remove() {
      const sockets = socketsIn(join(dataDir, 'postgres'))
      for (const pid of processesIn(join(dataDir, 'postgres'))) kill(pid)
      if (sockets) rmSync(sockets, { recursive: true, force: true })
      remove()
    },
  }
}

/** The folder of its socket is the fifth line of its postmaster.pid. */
function socketsIn(folder: string): string | undefined {
  const file = join(folder, 'postmaster.pid')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n')[4] : undefined
}

/** PostgreSQL works in its data folder. */
function processesIn(folder: string): number[] {
  const real = realpathSync(folder)
  return readdirSync('/proc').flatMap(name => {
    const pid = Number(name)
    try {
      const isOne = pid > 0 && readlinkSync(`/proc/${pid}/cwd`) === real && commandOf(pid) === 'postgres'
      return isOne ? [pid] : []
    } catch {
      return [] // it has ended
    }
  })
}

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()

/** Ends a process at once; one that is gone stays so. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

async function beginEmbedded() {
  const dataDir = sharedFolder('embedded-folder')
  const config = readConfig({
    DEMO: '1',
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
  })
  const embedded = await openEmbedded(dataDir, { shared: false })
  const database = openDatabase(embedded.url)
  const first = { ...product, seed: firstDay }
  const running = await startProduct(config, first, { database, log: createLog(config) })
  await running.stop()
  await database.close()
  await embedded.close()
  return dataDir
}
