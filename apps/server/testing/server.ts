import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster } from '../src/platform/postgres/embedded/cluster.ts'
import { askToStop, freePort, startServer, stopServer } from '../src/platform/postgres/embedded/server.ts'

/** Nothing outlives the run: no write waits for the disk, and nothing runs in the background. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  max_connections: '400',
}

/**
 * The product's own PostgreSQL in a temporary folder, on a port of the loopback interface, so that tests may put a
 * proxy between it and the product; `end` removes everything.
 */
export async function startTestServer(): Promise<{ url: string; end(): Promise<void> }> {
  const folder = mkdtempSync(join(inMemory() ?? tmpdir(), 'balcao-server-'))
  const cluster = await openCluster(folder, settings)
  const port = await freePort()
  const server = await startServer(cluster, {
    settings: { ...settings, listen_addresses: '127.0.0.1', port },
  })
  const url = new URL(server.url)
  url.host = `127.0.0.1:${port}`
  // also where the run is aborted: files in memory would stay there
  const abandon = () => {
    askToStop(cluster, server.pid, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', abandon)
  async function end() {
    process.off('exit', abandon)
    await stopServer(cluster, server)
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: url.href, end }
}

/** Linux keeps a folder in memory, in which a database is copied five times as fast; containers may have little of it. */
function inMemory(): string | null {
  const folder = '/dev/shm'
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > NEEDED_BYTES ? folder : null
  } catch {
    return null
  }
}

const NEEDED_BYTES = 2 * 1024 ** 3
