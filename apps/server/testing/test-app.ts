import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { User } from '@balcao/contract/users.ts'
import type { DestinationStream } from 'pino'
import type { Platform } from '../src/platform/app.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/observe/log.ts'
import { type Database, openDatabase } from '../src/platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../src/platform/postgres/sql.ts'
import { type Product, startProduct } from '../src/platform/start.ts'
import { product } from '../src/product.ts'
import { firstDay } from '../src/seed/first-start.ts'
import { databaseLike, freshDatabase } from './database.ts'
import { enter, type Person, person, until } from './person.ts'
import { madeOnce, sharedDatabase } from './run.ts'

export { enter, type Person, until } from './person.ts'

export interface TestApp {
  platform: Platform
  url: string
  database: Database
  /** Logs in as one of the demo people. */
  as(email: string): Promise<Person>
  anonymous: Person
  /** Whoever holds this token. */
  holding(token: string, user: User): Person
  close(): Promise<void>
}

/** Makes what one test app sealed readable in another that begins with its rows. */
const SECRET = 'Kq3vX8mZ1tR6yW0pL5sN9bH2cJ7dF4gA'

/**
 * The whole product in this process, with the demo people on a separate database: a copy of one that began, unless it
 * is given or `env` sets how a first start begins.
 */
export async function openTestApp(
  env: Record<string, string> = {},
  given: { product?: Product; database?: Database; connections?: number; logTo?: DestinationStream } = {},
): Promise<TestApp> {
  const own = given.product ?? { ...product, seed: firstDay }
  const database = given.database ?? (await databaseFor(env, own, given.connections))
  const { running, leave } = await open(database, env, own, given.logTo)
  const people: Person[] = []
  const known = (person: Person) => {
    people.push(person)
    return person
  }
  return {
    platform: running.platform,
    url: running.url!,
    database,
    anonymous: known(person(running.url!, '', null)),
    holding: (token, user) => known(person(running.url!, token, user)),
    async as(email) {
      return known(await enter(running.url!, email))
    },
    async close() {
      for (const one of people) one.close()
      await leave()
      await database.close()
    },
  }
}

/** What of the environment a first start writes down. */
const FIRST = ['DEMO', 'MASTER_EMAIL', 'MASTER_PASSWORD', 'USER_CREATION', 'TZ_DEFAULT', 'JWT_SECRET']

/** Databases as a first start leaves them, made once a run: the demo people alone, or with their year. */
const begun = new Map([
  [firstDay, 'first_day'],
  [product.seed, 'demo_year'],
])

async function databaseFor(
  env: Record<string, string>,
  own: Product,
  connections: number | undefined,
): Promise<Database> {
  const name = begun.get(own.seed)
  if (!name || FIRST.some(variable => variable in env)) return freshDatabase(connections)
  const template = await madeOnce(name, async () => {
    const { url, name: made } = await sharedDatabase(name)
    const database = openDatabase(url)
    const { leave } = await open(database, {}, { ...product, seed: own.seed })
    await leave()
    await database.close()
    return made
  })
  return databaseLike(template, connections)
}

async function open(
  database: Database,
  env: Record<string, string>,
  own: Product,
  logTo?: DestinationStream,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    DEMO: '1',
    LOG_LEVEL: 'error',
    PORT: '0',
    HOST: '127.0.0.1',
    JWT_SECRET: SECRET,
    // whoever waits asks often
    REQUESTS_PER_MINUTE: '0',
    ...env,
  })
  const log = createLog(config, logTo)
  const running = await startProduct(config, own, { database, log })
  async function leave() {
    await running.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { running, leave }
}

/** Resolves when no file waits for its removal, but for those whose time has not come. */
export async function removalsDone({ platform }: TestApp): Promise<void> {
  const waiting = tag`select from pgboss.job
    where name = 'files.remove' and state < 'completed' and start_after <= now() limit 1`
  const look = platform.scopes.platform()
  await until(async () => (await look.transaction(sql => rowsFrom(sql, waiting))).length === 0)
}
