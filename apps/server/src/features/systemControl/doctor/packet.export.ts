import { writeFileSync } from 'node:fs'
import { type Config, ConfigError, variables } from '../../../platform/config.ts'
import { type Build, thisBuild } from '../../../platform/observe/build.ts'
import type { FigureGroup, Sample } from '../../../platform/observe/figures.ts'
import type { Database } from '../../../platform/postgres/db.ts'
import {
  appliedMigrations,
  type IndexState,
  indexStates,
  LOOKING,
  type Settings,
  type StatementCost,
  serverSettings,
  type TableSize,
  tableSizes,
} from './database.queries.ts'
import { statementsByFeature } from './database.worker.ts'
import type { Finding } from './findings.rules.ts'
import { samplesOf } from './product.worker.ts'

/** What a support packet holds: the product and its counts. Nothing that people wrote, no address, name or secret. */
interface Packet {
  build: Build
  node: string
  platform: string
  /** Which are set. Their values may be secrets, addresses or names: only a few are in it. */
  variables: string[]
  values: Record<string, unknown>
  findings: Finding[]
  database: DatabasePart | null
}

interface DatabasePart {
  settings: Settings
  migrations: string[] | null
  tables: TableSize[]
  indexes: IndexState[]
  figures: Sample[]
  statements: (StatementCost & { feature: string })[]
}

export const packetOf = (
  config: Config,
  env: NodeJS.ProcessEnv,
  findings: Finding[],
  database: DatabasePart | null,
): Packet => ({
  build: thisBuild(),
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
  variables: variables()
    .flatMap(name => [name, `${name}_FILE`])
    .filter(name => env[name]),
  values: {
    roles: [...config.roles],
    production: config.production,
    logLevel: config.logLevel,
    databaseConnections: config.databaseConnections,
    requestsPerMinute: config.requestsPerMinute,
    tzDefault: config.tzDefault,
    proxies: Array.isArray(config.trustProxy) ? config.trustProxy.length : config.trustProxy,
  },
  findings,
  database,
})

/** Each part by itself: one that cannot be read is left out. */
export async function databasePart(database: Database, groups: FigureGroup[]): Promise<DatabasePart> {
  const read = <T>(look: Parameters<typeof database.transaction<T>>[1], otherwise: T) =>
    database.transaction(LOOKING, look).catch(() => otherwise)
  const settings = await database.transaction(LOOKING, serverSettings)
  return {
    settings,
    migrations: await read(appliedMigrations, null),
    tables: await read(tableSizes, []),
    indexes: await read(indexStates, []),
    figures: await read(sql => samplesOf(sql, groups), []),
    statements: settings.hasStatements ? await read(statementsByFeature, []) : [],
  }
}

/** A file of its own, for this user alone. Throws ConfigError where there is one already, or none can be made. */
export function writePacket(path: string, packet: Packet): void {
  try {
    writeFileSync(path, `${JSON.stringify(packet, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      code === 'EEXIST' ? `${path} is there already: name a new file` : `${path} cannot be written (${code})`,
    )
  }
}
