import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster } from '../apps/server/src/platform/postgres/embedded/cluster.ts'
import { askToStop, startServer } from '../apps/server/src/platform/postgres/embedded/server.ts'

/** A separate PostgreSQL server, which may be stopped while the product serves. */
export interface OwnPostgres {
  url: string
  /** Ends it at once, as a crash does. */
  goAway(): void
  comeBack(): Promise<void>
  remove(): void
}

/** Throws with the server's words when it does not start. */
export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-own-'))
  const cluster = await openCluster(folder)
  const first = await startServer(cluster)
  let { pid } = first
  const goAway = () => askToStop(cluster, pid, 'SIGQUIT')
  return {
    url: first.url,
    goAway,
    async comeBack() {
      const again = await startServer(cluster, { before: first })
      pid = again.pid
    },
    remove() {
      goAway()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
