import { existsSync } from 'node:fs'
import { findCluster } from '../../../apps/server/src/platform/postgres/embedded/cluster.ts'
import { type Server, serverOf } from '../../../apps/server/src/platform/postgres/embedded/server.ts'

/** The PostgreSQL that runs on this DATA_DIR; null where none does. */
export function postgresOf(dataDir: string): Server | null {
  if (!existsSync(dataDir)) return null
  const cluster = findCluster(dataDir)
  return cluster && serverOf(cluster)
}

/** Ends the one that outlived its product, which was killed. */
export function endPostgresOf(dataDir: string): void {
  const server = postgresOf(dataDir)
  if (server) process.kill(server.pid, 'SIGQUIT')
}
