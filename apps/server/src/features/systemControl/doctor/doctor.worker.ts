import { nameOfSealed } from '../../../platform/access/sealed.ts'
import { refuseOtherSecret } from '../../../platform/access/sealing-keys.ts'
import { openSecrets } from '../../../platform/access/secrets.ts'
import { clockAhead, databaseNow, readDatabaseClock } from '../../../platform/clock.ts'
import { type Config, ConfigError } from '../../../platform/config.ts'
import { type Feature, itemsOf } from '../../../platform/features.ts'
import { whyItFailed } from '../../../platform/observe/log-errors.ts'
import type { Database, Sql } from '../../../platform/postgres/db.ts'
import { isBegun } from '../../../platform/postgres/migrate.ts'
import { choreFigures, jobFigures } from '../../../platform/work/job-figures.ts'
import { unreadableIn } from '../lost/lost.worker.ts'
import { LOOKING } from './database.queries.ts'
import { databaseFindings } from './database.worker.ts'
import { byLimits, type Finding, finding } from './findings.rules.ts'
import { diskFindings, secretFindings, versionFindings } from './machine.client.ts'
import { figureFindings, productFindings, samplesOf } from './product.worker.ts'
import { publicFindings, runningFindings, serverFindings } from './servers.client.ts'

export interface Examined {
  config: Config
  env: NodeJS.ProcessEnv
  features: Feature[]
}

/** Seconds by which the clocks may differ. */
const CLOCK_WARN = 2
const CLOCK_BAD = 60

/** What can be looked at without the database. */
export async function examineMachine({ config, env }: Examined): Promise<Finding[]> {
  return [
    ...versionFindings(),
    ...(await tried('secrets', async () => secretFindings(config, env))),
    ...(await tried('disk', () => diskFindings(config))),
  ]
}

/** What the database holds and how it is; nothing is written, and each part that cannot be looked at is a line. */
export async function examineDatabase(database: Database, examined: Examined): Promise<Finding[]> {
  const { config, features } = examined
  const looked = (area: string, look: (sql: Sql) => Promise<Finding[]>) =>
    tried(area, () => database.transaction(LOOKING, look))
  const findings = [
    ...(await tried('clocks', () => clockFindings(database))),
    ...(await looked('database', sql => databaseFindings(sql, itemsOf(features, 'lateIndex')))),
  ]
  if (!(await isBegun(database))) return findings
  return [
    ...findings,
    ...(await tried('secrets', () => sealedFindings(database, config, features))),
    ...(await looked('work', async sql => figureFindings(await samplesOf(sql, groupsOf(features))))),
    ...(await looked('numbers', sql => productFindings(sql, databaseNow()))),
  ]
}

export const groupsOf = (features: Feature[]) => [jobFigures, choreFigures, ...itemsOf(features, 'figures')]

/** Servers beside the database, the public address, and the process that runs here. */
export async function examineAround({ config }: Examined): Promise<Finding[]> {
  return [
    ...(await tried('servers', () => serverFindings(config))),
    ...(await tried('address', () => publicFindings(config, databaseNow()))),
    ...(await tried('process', () => runningFindings(config))),
  ]
}

async function tried(area: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    const why = error instanceof ConfigError ? error.message : whyItFailed(error)
    return [
      finding(
        area,
        'warn',
        `could not be looked at (${why})`,
        'mend what the reason names, and run it again',
      ),
    ]
  }
}

async function clockFindings(database: Database): Promise<Finding[]> {
  await readDatabaseClock(database)
  const ahead = (await clockAhead(database)) / 1_000
  const level = byLimits(Math.abs(ahead), CLOCK_WARN, CLOCK_BAD)
  const what = level === 'ok' ? 'agrees with' : `is ${ahead.toFixed(1)} s ahead of`
  return [
    finding(
      'clocks',
      level,
      `the clock of this machine ${what} that of the database`,
      'synchronize both (chrony, systemd-timesyncd)',
    ),
  ]
}

/** Whether the secret is that of the database, and what it does not open. */
async function sealedFindings(database: Database, config: Config, features: Feature[]): Promise<Finding[]> {
  const columns = itemsOf(features, 'sealed')
  try {
    // none is made: the database holds companies
    const secrets = await openSecrets(config, async () => true)
    await refuseOtherSecret(database, secrets, columns)
    const lost = await unreadableIn({ database, secrets, columns, begin: LOOKING, most: 5_000 })
    // history, which is not entered again, is no fault
    const asked = lost.filter(({ column }) => column.lost.todo !== '')
    if (asked.length === 0) return [finding('secrets', 'ok', 'the secret opens what is sealed')]
    const named = asked.map(
      ({ column, companies }) => `${nameOfSealed(column)} of ${companies.size} companies`,
    )
    return [
      finding(
        ...(['secrets', 'warn'] as const),
        `sealed with a secret that is gone: ${named.join(', ')}`,
        'npm run reseal -- --lost names each, and asks for it again on the screens',
      ),
    ]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [finding('secrets', 'bad', error.message, 'give the secret of before (docs/operating.md, Keys)')]
  }
}
