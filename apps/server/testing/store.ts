import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { openLite } from '../src/platform/db.ts'
import { ask, createDatabase, postgresServer } from './postgres.ts'
import { freshFolder, startProcess } from './process.ts'
import { madeOnce, sharedDatabase, sharedFolder } from './run.ts'

/** What outlives a process: its folder and its database. */
export interface Store {
  /** Variables for processes on it. */
  env: Record<string, string>
  /** The same for one more process beside the first. */
  beside(): Record<string, string>
  /** Reads with no process running, or beside them where the database is a server. */
  rows(query: string): Promise<Record<string, unknown>[]>
  /** On a server the leases of a dead process run out by themselves: that is not waited for. */
  endLeases(): Promise<void>
  remove(): Promise<void>
}

const demo = { DEMO: '1' }
/** What a first start makes of the demo's year takes longer than most tests: it is done once a run, and copied. */
const FIRST_START_MS = 240_000

/** A database to die on; how many of a suite's points are tried on it. */
interface Place {
  name: string
  open(): Promise<Store>
  /** Why it cannot be; empty where it can. */
  skip: string
  some<Point>(points: readonly Point[]): Point[]
}

/**
 * Both databases, a half of the points on each: what stands between two statements is the same code on either. All
 * points on both are tried by `npm run soak`, and all on the embedded one where there is no server.
 */
export async function bothPlaces(): Promise<Place[]> {
  const server = await postgresServer()
  const isWhole = 'missing' in server || process.env.EVERY_POINT === '1'
  const some = (half: number) => (points: readonly never[]) =>
    isWhole ? [...points] : points.filter((_, at) => at % 2 === half)
  return [
    { name: 'the embedded database', open: embeddedStore, skip: '', some: some(0) },
    {
      name: 'a PostgreSQL server',
      open: () => serverStore('url' in server ? server.url : ''),
      skip: 'missing' in server ? server.missing : '',
      some: some(1),
    },
  ]
}

/** A folder as the first start on the embedded database leaves it. */
export async function embeddedStore(): Promise<Store> {
  const folder = freshFolder()
  cpSync(await madeOnce('begun-embedded', beginEmbedded), folder.path, { recursive: true })
  return {
    env: { ...demo, DATA_DIR: folder.path },
    beside() {
      throw new Error('the embedded database serves one process')
    },
    async rows(query) {
      const lite = await openLite({ dataDir: `${folder.path}/db` })
      const { rows } = await lite.query<Record<string, unknown>>(query)
      await lite.close()
      return rows
    },
    endLeases: async () => {},
    remove: async () => folder.remove(),
  }
}

async function beginEmbedded() {
  const path = sharedFolder('embedded')
  const product = await startProcess({ ...demo, DATA_DIR: path }, FIRST_START_MS)
  await product.stop()
  return path
}

/** A folder and a database as the first start leaves them. */
export async function serverStore(server: string): Promise<Store> {
  const begun = JSON.parse(await madeOnce('begun-server', () => beginOnServer(server))) as BegunOnServer
  const folder = freshFolder()
  cpSync(begun.path, folder.path, { recursive: true })
  return storeOn(folder, await createDatabase(server, begun.database), begun.secret)
}

/** Where nothing was started yet. */
export const emptyServerStore = async (server: string): Promise<Store> =>
  storeOn(freshFolder(), await createDatabase(server), newSecret())

function storeOn(
  folder: ReturnType<typeof freshFolder>,
  database: Awaited<ReturnType<typeof createDatabase>>,
  secret: string,
): Store {
  const env = environment(folder.path, database.url, secret)
  return {
    env,
    beside: () => env,
    rows: query => ask(database.url, query),
    endLeases: async () =>
      void (await ask(database.url, `update whatsapp_leases set expires_at = now() - interval '1 second'`)),
    remove: async () => {
      await database.drop()
      folder.remove()
    },
  }
}

interface BegunOnServer {
  path: string
  database: string
  secret: string
}

async function beginOnServer(server: string) {
  const [path, secret] = [sharedFolder('server'), newSecret()]
  const { url, name } = await sharedDatabase(server, 'begun')
  const product = await startProcess(environment(path, url, secret), FIRST_START_MS)
  await product.stop()
  return JSON.stringify({ path, database: name, secret } satisfies BegunOnServer)
}

const newSecret = () => randomBytes(32).toString('base64url')
const environment = (path: string, url: string, secret: string) => ({
  ...demo,
  DATA_DIR: path,
  DATABASE_URL: url,
  JWT_SECRET: secret,
})
