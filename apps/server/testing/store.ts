import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/observe/log.ts'
import { openDatabase } from '../src/platform/postgres/db.ts'
import { startProduct } from '../src/platform/start.ts'
import { product } from '../src/product.ts'
import { firstDay } from '../src/seed/first-start.ts'
import { ask, createDatabase } from './postgres.ts'
import { freshFolder } from './process.ts'
import { madeOnce, sharedDatabase, sharedFolder } from './run.ts'

/** What outlives a process: its folder and its database. */
export interface Store {
  /** Variables for processes on it. */
  env: Record<string, string>
  rows(query: string): Promise<Record<string, unknown>[]>
  /** The leases of a dead process run out by themselves: that is not waited for. */
  endLeases(): Promise<void>
  remove(): Promise<void>
}

const demo = { DEMO: '1' }
/** A folder and a database as a first start leaves them, but for the demo's year: made once a run, and copied. */
export async function freshStore(): Promise<Store> {
  const begun = JSON.parse(await madeOnce('begun', begin)) as Begun
  const folder = freshFolder()
  cpSync(begun.path, folder.path, { recursive: true })
  return storeOn(folder, await createDatabase(begun.database), begun.secret)
}

/** Where nothing was started yet. */
export const emptyStore = async (): Promise<Store> =>
  storeOn(freshFolder(), await createDatabase(), newSecret())

function storeOn(
  folder: ReturnType<typeof freshFolder>,
  database: Awaited<ReturnType<typeof createDatabase>>,
  secret: string,
): Store {
  const env = environment(folder.path, database.url, secret)
  return {
    env,
    rows: query => ask(database.url, query),
    endLeases: async () =>
      void (await ask(database.url, `update whatsapp_leases set expires_at = now() - interval '1 second'`)),
    remove: async () => {
      await database.drop()
      folder.remove()
    },
  }
}

interface Begun {
  path: string
  database: string
  secret: string
}

async function begin() {
  const [path, secret] = [sharedFolder('begun-folder'), newSecret()]
  const { url, name } = await sharedDatabase('begun')
  await beginOn(environment(path, url, secret))
  return JSON.stringify({ path, database: name, secret } satisfies Begun)
}

/** A first start there, but for the demo's year. */
async function beginOn(env: ReturnType<typeof environment>) {
  const config = readConfig({ ...env, ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' } })
  const database = openDatabase(env.DATABASE_URL)
  const first = { ...product, seed: firstDay }
  const running = await startProduct(config, first, { database, log: createLog(config) })
  await running.stop()
  await database.close()
}

/** A store on a server of the test's own, as a first start leaves it. */
export async function storeAt(url: string): Promise<Store> {
  const folder = freshFolder()
  const secret = newSecret()
  await beginOn(environment(folder.path, url, secret))
  return storeOn(folder, { url, drop: async () => {} }, secret)
}

const newSecret = () => randomBytes(32).toString('base64url')
const environment = (path: string, url: string, secret: string) => ({
  ...demo,
  DATA_DIR: path,
  DATABASE_URL: url,
  JWT_SECRET: secret,
})
