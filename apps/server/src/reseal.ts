import { companyNames } from './features/systemControl/lost/lost.queries.ts'
import { lostLines } from './features/systemControl/lost/lost.rules.ts'
import { forgetLost } from './features/systemControl/lost/lost.worker.ts'
import { resealAll } from './features/systemControl/systemControl.reseal.worker.ts'
import { features } from './features.ts'
import type { Resealed } from './platform/access/reseal.ts'
import { replaceLostSecret } from './platform/access/sealing-keys.ts'
import { openSecrets } from './platform/access/secrets.ts'
import { ConfigError, readConfig } from './platform/config.ts'
import { itemsOf } from './platform/features.ts'
import { createLog } from './platform/observe/log.ts'
import { openDatabase } from './platform/postgres/db.ts'
import { visitEmbedded } from './platform/postgres/embedded/embedded.ts'
import { isBegun } from './platform/postgres/migrate.ts'
import { runProgram } from './platform/startup/command.ts'
import { offlineScopes } from './platform/startup/offline.ts'
import { databaseAnswers } from './platform/startup/wait-for-servers.ts'

/** How often (ms) it is printed how far it is. */
const REPORT_MS = 2_000

/**
 * `npm run reseal`: seals everything with JWT_SECRET that JWT_SECRET_OLD sealed, beside the running product. After it
 * JWT_SECRET_OLD is not needed any more. `-- --lost`: where the secret of before is lost: names what it sealed, which the screens ask for
 * again, and the next start is not refused.
 */
runProgram(async ([option]) => {
  if (option !== undefined && option !== '--lost')
    throw new ConfigError('Say npm run reseal, or npm run reseal -- --lost')
  const config = readConfig(process.env)
  const log = createLog(config)
  const embedded = config.databaseUrl ? null : await visitEmbedded(config.dataDir, { make: false })
  const directUrl = embedded ? null : await databaseAnswers(config, log)
  const database = openDatabase(embedded?.url ?? config.databaseUrl!, 2, { directUrl })
  try {
    const secrets = await openSecrets(config, () => isBegun(database))
    if (option === '--lost') {
      const columns = itemsOf(features, 'sealed')
      await replaceLostSecret(database, secrets)
      const lost = await forgetLost({ database, secrets, columns })
      for (const line of lostLines(lost, await database.transaction('', companyNames))) console.log(line)
      return
    }
    const made = await offlineScopes({ database, log, timeZone: config.tzDefault })
    const columns = itemsOf(features, 'sealed')
    await resealAll({ database, platform: made.platform(), secrets, columns, report: printer() })
    console.log('Everything is sealed with JWT_SECRET. Remove JWT_SECRET_OLD, and restart.')
  } finally {
    await database.close()
    await embedded?.close()
  }
})

/** Prints how far a column is every few seconds, and its end where something was done. */
function printer() {
  let last = performance.now()
  return (column: string, { sealed, changed, unreadable }: Resealed, { isWhole }: { isWhole: boolean }) => {
    const isLate = performance.now() - last >= REPORT_MS
    if (isWhole ? changed + unreadable === 0 : !isLate) return
    last = performance.now()
    const lost = unreadable > 0 ? `, ${unreadable} that no known secret opens` : ''
    console.log(`${column}: ${sealed} sealed, ${changed} of them anew${lost}`)
  }
}
