import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { features } from './features.ts'
import { readConfig } from './platform/config.ts'
import { pathOfFile } from './platform/files/files.ts'
import { filesNamed } from './platform/files/orphans.ts'
import { keyAt } from './platform/files/served.ts'
import { createLog } from './platform/observe/log.ts'
import { openDatabase } from './platform/postgres/db.ts'
import { visitEmbedded } from './platform/postgres/embedded/embedded.ts'
import { migrate } from './platform/postgres/migrate.ts'
import { rowsFrom, sql as tag } from './platform/postgres/sql.ts'
import { offlineScopes } from './platform/startup/offline.ts'

/**
 * How many of the files that rows name are not in a restored folder. Its database is brought up to date first, as a start
 * does it: the folder is not of use to an older version afterwards.
 */
export async function filesMissing(dataDir: string): Promise<number> {
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  const log = createLog(config)
  const { url, close } = await visitEmbedded(dataDir, { make: false })
  const database = openDatabase(url)
  try {
    await migrate(database, { log })
    const scopes = await offlineScopes({ database, log, timeZone: config.tzDefault, features })
    const companies = await scopes
      .platform()
      .transaction(sql => rowsFrom<{ id: number }>(sql, tag`select id from companies order by id`))
    let missing = 0
    for (const { id } of companies) {
      const name = (addresses: (string | null)[]) => {
        const keys = addresses.flatMap(address => (address ? keyAt(address) : null) ?? [])
        missing += keys.filter(key => !existsSync(join(dataDir, 'files', pathOfFile(id, key)))).length
      }
      await scopes.inCompany(id).list(tx => tx.involve(filesNamed, { name }))
    }
    return missing
  } finally {
    await database.close()
    await close()
  }
}
