import { openSecrets } from '../access/secrets.ts'
import { readDatabaseClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { createLog } from '../observe/log.ts'
import { openDatabase } from '../postgres/db.ts'
import { visitEmbedded } from '../postgres/embedded/embedded.ts'
import { backUpBeforeUpgrade } from '../postgres/embedded/upgrade-backup.ts'
import { isBegun, migrate } from '../postgres/migrate.ts'
import type { PlatformScope } from '../scope.ts'
import { offlineScopes } from './offline.ts'
import { databaseAnswers } from './wait-for-servers.ts'

/**
 * Runs a command of the operator on the database, beside the running product or alone: migrated as by a start, with the
 * platform's scope and without features, so nothing may be emitted.
 * Throws ConfigError, also where there is no embedded database, unless it may be made.
 */
export async function besideProduct<T>(
  config: Config,
  { make }: { make: boolean },
  work: (platform: PlatformScope) => Promise<T>,
): Promise<T> {
  const log = createLog(config)
  const embedded = config.databaseUrl ? null : await visitEmbedded(config.dataDir, { make })
  const directUrl = embedded ? null : await databaseAnswers(config, log)
  const database = openDatabase(embedded?.url ?? config.databaseUrl!, undefined, { directUrl })
  try {
    await readDatabaseClock(database)
    // whoever begins a database makes its secret: none is made beside one that is begun
    await openSecrets(config, () => isBegun(database))
    await migrate(database, {
      log,
      before: embedded ? pending => backUpBeforeUpgrade(config, { log, pending }) : undefined,
    })
    const scopes = await offlineScopes({ database, log, timeZone: config.tzDefault })
    return await work(scopes.platform())
  } finally {
    await database.close()
    await embedded?.close()
  }
}
