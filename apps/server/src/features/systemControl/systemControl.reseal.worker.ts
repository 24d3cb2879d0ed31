import { type Resealed, resealColumn } from '../../platform/access/reseal.ts'
import { nameOfSealed, type SealedColumn } from '../../platform/access/sealed.ts'
import { forgetOtherKeys, recordedKeys, refuseOtherSecret } from '../../platform/access/sealing-keys.ts'
import type { OpenedSecrets } from '../../platform/access/secrets.ts'
import { ConfigError } from '../../platform/config.ts'
import type { Database } from '../../platform/postgres/db.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { processesWithOther } from './systemControl.queries.ts'

interface Resealing {
  database: Database
  platform: PlatformScope
  secrets: OpenedSecrets
  columns: SealedColumn[]
  /** How far it is with a column; called for each stretch of rows, and with `isWhole` at its end. */
  report(column: string, so: Resealed, how: { isWhole: boolean }): void
}

/**
 * Seals everything with the current secret that an older one sealed, beside running processes; then the older one is not
 * asked for any more. Throws ConfigError where a process still seals with another secret. What was interrupted is
 * begun again.
 */
export async function resealAll({ database, platform, secrets, columns, report }: Resealing): Promise<void> {
  await refuseOtherSecret(database, secrets, columns)
  if (!(await recordedKeys(database)).some(({ keyId }) => keyId === secrets.keyId))
    throw new ConfigError('Start the product with this JWT_SECRET first, and with JWT_SECRET_OLD beside it')
  await refuseWhileOthersSeal(platform, secrets.keyId)
  // until nothing is left: the rows of a statement that was under way then are found by the next pass
  for (let changed = -1; changed !== 0; ) {
    changed = 0
    for (const column of columns) {
      const name = nameOfSealed(column)
      const so = await resealColumn(platform, secrets, column, sofar =>
        report(name, sofar, { isWhole: false }),
      )
      report(name, so, { isWhole: true })
      changed += so.changed
    }
  }
  await refuseWhileOthersSeal(platform, secrets.keyId)
  await platform.transaction(sql => forgetOtherKeys(sql, secrets.keyId))
}

async function refuseWhileOthersSeal(platform: PlatformScope, keyId: string) {
  const names = (await platform.transaction(sql => processesWithOther(sql, keyId))).map(({ name }) => name)
  if (names.length > 0)
    throw new ConfigError(
      `Other processes still seal with another secret: ${names.join(', ')}. Restart them with this JWT_SECRET and ` +
        'JWT_SECRET_OLD beside it (a process that died counts for 20 seconds), and run it again',
    )
}
