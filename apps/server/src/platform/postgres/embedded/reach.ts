import type { Logger } from 'pino'
import { type Config, usesExchange } from '../../config.ts'
import { openDataDir } from '../../startup/data-dir-lock.ts'
import { portIsFree } from '../../startup/port.ts'
import { databaseAnswers } from '../../startup/wait-for-servers.ts'
import { type Database, openDatabase, sharedOf } from '../db.ts'
import { openReplica } from '../replica.ts'
import { openEmbedded } from './embedded.ts'
import { backUpBeforeUpgrade } from './upgrade-backup.ts'

/** The database of a product, and whether no other process is on it. */
export interface Reached {
  database: Database
  isAlone: boolean
  /** Before a database of an earlier version is changed. */
  beforeUpgrade?: (pending: string[]) => Promise<void>
  close(): Promise<void>
}

/** Connections to a copy. */
const TO_COPY = 4

/** With the copy that DATABASE_READ_URL names. */
function withCopy(primary: Database, config: Config, log: Logger): Database {
  const { databaseReadUrl: url, databaseReadSeconds } = config
  if (!url) return primary
  const copy = openReplica(primary, { url, mostMs: databaseReadSeconds * 1_000, size: TO_COPY, log })
  return {
    ...primary,
    asOf: copy.asOf,
    read: (opening, work, how) => (how?.behind ? copy : primary).read(opening, work, how),
    async close() {
      await copy.close()
      await primary.close()
    },
  }
}

/**
 * The database that DATABASE_URL names, or the one in DATA_DIR; `close` leaves it. Throws ConfigError when it, DATA_DIR or
 * PORT cannot be used.
 */
export async function reachDatabase(config: Config, log: Logger): Promise<Reached> {
  const { databaseUrl, dataDir, redisUrl } = config
  const shared = sharedOf(config.databaseConnections - (usesExchange(config) ? 1 : 0))
  if (databaseUrl) {
    await openDataDir(dataDir)
    await portIsFree(config)
    const primary = openDatabase(databaseUrl, shared, { directUrl: await databaseAnswers(config, log) })
    const database = withCopy(primary, config, log)
    return { database, isAlone: false, close: database.close }
  }
  const embedded = await openEmbedded(dataDir, {
    shared: redisUrl !== null,
    before: () => portIsFree(config),
    settings: {
      shared_buffers: `${config.embeddedMemoryMb}MB`,
      max_connections: String(config.embeddedConnections),
    },
  })
  embedded.watch(log)
  const database = openDatabase(embedded.url, shared)
  async function close() {
    await database.close()
    await embedded.close()
  }
  const beforeUpgrade = (pending: string[]) => backUpBeforeUpgrade(config, { log, pending })
  return { database, isAlone: embedded.isAlone, beforeUpgrade, close }
}
