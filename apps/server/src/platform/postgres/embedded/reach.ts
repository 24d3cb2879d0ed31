import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { openDataDir } from '../../startup/data-dir-lock.ts'
import { portIsFree } from '../../startup/port.ts'
import { databaseAnswers } from '../../startup/wait-for-servers.ts'
import { type Database, openDatabase, sharedOf } from '../db.ts'
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

/**
 * The database that DATABASE_URL names, or the one in DATA_DIR; `close` leaves it. Throws ConfigError when it, DATA_DIR or
 * PORT cannot be used.
 */
export async function reachDatabase(config: Config, log: Logger): Promise<Reached> {
  const { databaseUrl, dataDir, redisUrl } = config
  const shared = sharedOf(config.databaseConnections)
  if (databaseUrl) {
    await openDataDir(dataDir)
    await portIsFree(config)
    const database = openDatabase(databaseUrl, shared, { directUrl: await databaseAnswers(config, log) })
    return { database, isAlone: false, close: database.close }
  }
  const embedded = await openEmbedded(dataDir, {
    shared: redisUrl !== null,
    before: () => portIsFree(config),
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
