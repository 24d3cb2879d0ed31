import { randomBytes } from 'node:crypto'
import { openLite } from '../src/platform/db.ts'
import { ask, createDatabase } from './postgres.ts'
import { freshFolder } from './process.ts'

/** What outlives a process: its folder and its database. */
export interface Store {
  /** Variables for processes on it. */
  env: Record<string, string>
  /** The same for one more process beside the first. */
  beside(): Record<string, string>
  /** Reads with no process running, or beside them where the database is a server. */
  rows(query: string): Promise<Record<string, unknown>[]>
  remove(): Promise<void>
}

const demo = { DEMO: '1' }

export async function embeddedStore(): Promise<Store> {
  const folder = freshFolder()
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
    remove: async () => folder.remove(),
  }
}

export async function serverStore(server: string): Promise<Store> {
  const folder = freshFolder()
  const database = await createDatabase(server)
  const env = {
    ...demo,
    DATA_DIR: folder.path,
    DATABASE_URL: database.url,
    JWT_SECRET: randomBytes(32).toString('base64url'),
  }
  return {
    env,
    beside: () => env,
    rows: query => ask(database.url, query),
    remove: async () => {
      await database.drop()
      folder.remove()
    },
  }
}
