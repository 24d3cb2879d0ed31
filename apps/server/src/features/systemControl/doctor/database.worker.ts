import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sql } from '../../../platform/postgres/db.ts'
import type { LateIndex } from '../../../platform/postgres/late-indexes.ts'
import { migrationNames, migrationsFolder } from '../../../platform/postgres/migrate.ts'
import {
  appliedMigrations,
  costlyStatements,
  indexStates,
  type Settings,
  type StatementCost,
  serverSettings,
  tableSizes,
  waitingSessions,
} from './database.queries.ts'
import { byLimits, type Finding, finding, sizeOf, spanOf } from './findings.rules.ts'

/** The oldest PostgreSQL that the product runs on, and the transactions after which PostgreSQL warns, then refuses to write. */
const OLDEST_VERSION = 150_000
const WRAP_WARN = 1_000_000_000
const WRAP_BAD = 1_900_000_000
/** So many dead rows are worth a word, where they are a fifth of the table. */
const MANY_DEAD = 50_000
const DEAD_SHARE = 0.2
/** A mean (ms) for which a screen should not wait, of a statement that was called often enough to count. */
const SLOW_MS = 200
const OFTEN = 50

export async function databaseFindings(sql: Sql, late: LateIndex[]): Promise<Finding[]> {
  const settings = await serverSettings(sql)
  return [
    ...serverFindings(settings),
    await schemaFinding(sql),
    ...(await tableFindings(sql)),
    ...(await indexFindings(sql, late)),
    ...(await waitFindings(sql)),
    ...(await statementFindings(sql, settings)),
  ]
}

function serverFindings(settings: Settings): Finding[] {
  const { version, shown, maxConnections, connections, autovacuum, oldest, bytes } = settings
  const used = connections / maxConnections
  return [
    finding(
      'database',
      version < OLDEST_VERSION ? 'bad' : 'ok',
      `PostgreSQL ${shown}, ${sizeOf(bytes)}`,
      'PostgreSQL 15 or newer is needed',
    ),
    finding(
      'database',
      byLimits(used, 0.8, 0.95),
      `${connections} of ${maxConnections} connections are open`,
      'lower DATABASE_CONNECTIONS, or raise max_connections of the server',
    ),
    finding(
      'database',
      autovacuum ? 'ok' : 'bad',
      autovacuum ? 'autovacuum is on' : 'autovacuum is off: tables only grow',
      'set autovacuum = on in the server, and reload it',
    ),
    finding(
      'database',
      byLimits(oldest, WRAP_WARN, WRAP_BAD),
      `the oldest transaction is ${Math.round(oldest / 1e6)} million old`,
      'run VACUUM (FREEZE) on the database: PostgreSQL refuses to write at 2,147 million',
    ),
  ]
}

async function schemaFinding(sql: Sql): Promise<Finding> {
  const applied = await appliedMigrations(sql)
  if (!applied) return finding('schema', 'warn', 'the database is empty', 'the first start fills it')
  const known = migrationNames()
  const newer = applied.filter(name => !known.includes(name))
  const pending = known.filter(name => !applied.includes(name))
  if (newer.length > 0)
    return finding('schema', 'bad', `of a newer version: ${newer.join(', ')}`, 'start the newer version')
  if (pending.length > 0)
    return finding('schema', 'warn', `not applied yet: ${pending.join(', ')}`, 'the next start applies them')
  return finding('schema', 'ok', `newest migration ${known.at(-1)}`)
}

async function tableFindings(sql: Sql): Promise<Finding[]> {
  const tables = await tableSizes(sql)
  const bloated = tables.filter(({ dead, rows }) => dead > MANY_DEAD && dead > rows * DEAD_SHARE)
  const stale = tables.filter(({ changed, rows }) => changed > MANY_DEAD && changed > rows / 2)
  return [
    listedFinding('database', bloated, 'tables hold many dead rows', {
      none: 'no table holds many dead rows',
      each: ({ name, dead, vacuumed }) =>
        `${name} ${Math.round(dead)}, ${vacuumed === null ? 'never vacuumed' : `vacuumed ${spanOf(vacuumed)} ago`}`,
      todo: 'autovacuum does not keep up: end transactions that are open for long, or lower autovacuum_vacuum_scale_factor of these tables',
    }),
    listedFinding('database', stale, 'tables changed much since they were analyzed', {
      none: 'the statistics of all tables are fresh',
      each: ({ name, changed }) => `${name} ${Math.round(changed)} rows`,
      todo: 'run ANALYZE, and look whether autovacuum keeps up',
    }),
  ]
}

async function indexFindings(sql: Sql, late: LateIndex[]): Promise<Finding[]> {
  const states = await indexStates(sql)
  const there = new Set(states.map(({ name }) => name))
  const invalid = states.filter(({ isValid, isBuilt }) => !isValid && !isBuilt)
  const isLate = (name: string) => late.some(one => one.name === name || one.replaces === name)
  const missing = expectedIndexes().filter(name => !there.has(name) && !isLate(name))
  const unbuilt = late.filter(({ name }) => !there.has(name))
  const named = (names: { name: string }[]) => names.map(({ name }) => ({ name }))
  return [
    listedFinding('indexes', named(invalid), 'are invalid', {
      none: `${states.length} are valid`,
      each: ({ name }) => name,
      todo: 'drop and create them (REINDEX INDEX CONCURRENTLY); those of long tables are built again by a worker',
    }),
    listedFinding(
      'indexes',
      missing.map(name => ({ name })),
      'are missing',
      {
        none: 'none is missing',
        each: ({ name }) => name,
        todo: 'somebody dropped them: create them as the migrations do (apps/server/migrations)',
      },
    ),
    ...(unbuilt.length === 0
      ? []
      : [
          listedFinding('indexes', named(unbuilt), 'of long tables are not built yet', {
            none: '',
            each: ({ name }) => name,
            todo: 'a process with the role worker builds them beside the work; look at its log',
          }),
        ]),
  ]
}

/** Of the tables as the newest migration leaves them. */
function expectedIndexes(): string[] {
  const folder = join(migrationsFolder, 'meta')
  const newest = readdirSync(folder)
    .filter(name => name.endsWith('_snapshot.json'))
    .sort()
    .at(-1)
  if (!newest) return []
  const { tables } = JSON.parse(readFileSync(join(folder, newest), 'utf8')) as {
    tables: Record<string, { indexes: Record<string, unknown> }>
  }
  return Object.values(tables).flatMap(({ indexes }) => Object.keys(indexes))
}

async function waitFindings(sql: Sql): Promise<Finding[]> {
  const waiting = await waitingSessions(sql)
  return [
    listedFinding(
      'locks',
      waiting.filter(({ kind }) => kind === 'lock'),
      'statements wait for others',
      {
        none: 'no statement waits',
        each: ({ pid, seconds, blockers }) =>
          `process ${pid} for ${spanOf(seconds)}, for ${blockers.join(' and ') || 'a lock'}`,
        todo: 'look at the blocking process in pg_stat_activity; pg_terminate_backend ends it',
      },
    ),
    listedFinding(
      'locks',
      waiting.filter(({ kind }) => kind === 'idle'),
      'transactions are open and do nothing',
      {
        none: 'no transaction is left open',
        each: ({ pid, seconds }) => `process ${pid} for ${spanOf(seconds)}`,
        todo: 'they keep dead rows: end them with pg_terminate_backend; the product leaves none',
      },
    ),
  ]
}

async function statementFindings(sql: Sql, { hasStatements }: Settings): Promise<Finding[]> {
  if (!hasStatements)
    return [finding('statements', 'ok', 'not measured: the extension pg_stat_statements is not there')]
  const slow = (await statementsByFeature(sql)).filter(({ mean, calls }) => mean > SLOW_MS && calls >= OFTEN)
  return [
    listedFinding('statements', slow, 'are slow', {
      none: 'none is slow',
      each: ({ feature, mean, calls }) => `${feature} ${Math.round(mean)} ms, ${calls} times`,
      todo: 'send a support packet (npm run doctor -- --packet FILE), which has their texts without values',
    }),
  ]
}

/** With the feature whose table each names first. */
export async function statementsByFeature(sql: Sql): Promise<(StatementCost & { feature: string })[]> {
  const owners = featuresOfTables()
  return (await costlyStatements(sql)).map(one => {
    const [, table = ''] = /\b(?:from|into|update)\s+"?(?:public"?\."?)?(\w+)/i.exec(one.query) ?? []
    return { ...one, feature: owners.get(table) ?? (table || 'other') }
  })
}

const features = fileURLToPath(new URL('../../', import.meta.url))

function featuresOfTables(): Map<string, string> {
  const files = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.table.ts'),
  )
  return new Map(
    files.flatMap(path =>
      Array.from(
        readFileSync(join(features, path), 'utf8').matchAll(/pgTable\(\s*'(\w+)'/g),
        ([, table]) => [table!, path.split(/[\\/]/)[0]!] as const,
      ),
    ),
  )
}

interface Listing<Row> {
  none: string
  each(row: Row): string
  todo: string
}

/** How many are listedFinding. */
const SHOWN = 5

export function listedFinding<Row>(
  area: string,
  rows: Row[],
  what: string,
  { none, each, todo }: Listing<Row>,
): Finding {
  if (rows.length === 0) return finding(area, 'ok', none)
  const more = rows.length > SHOWN ? ` and ${rows.length - SHOWN} more` : ''
  return finding(
    area,
    'warn',
    `${rows.length} ${what}: ${rows.slice(0, SHOWN).map(each).join('; ')}${more}`,
    todo,
  )
}
