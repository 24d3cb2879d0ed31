import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Database, openLite, overLite, overServer } from '../src/platform/db.ts'
import { migrate, migrationsFolder } from '../src/platform/migrate.ts'
import { createDatabase, postgresServer } from './postgres.ts'
import { madeOnce, sharedDatabase } from './run.ts'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/balcao', import.meta.url))

export type Carrier = 'pglite' | 'postgres'

/** Which one tests run on unless they say: a suite on the server sets it (see crash/postgres.test.ts). */
const usual = (): Carrier => (process.env.TEST_CARRIER === 'postgres' ? 'postgres' : 'pglite')

/** A migrated, empty database of its own: in memory, or on the server of TEST_DATABASE_URL, where closing drops it. */
export const freshDatabase = (carrier: Carrier = usual()): Promise<Database> =>
  carrier === 'postgres' ? onServer() : inMemory()

async function onServer(): Promise<Database> {
  const server = await postgresServer()
  if ('missing' in server) throw new Error(server.missing)
  const migrated = await madeOnce('migrated', () => makeMigrated(server.url))
  const { url, drop } = await createDatabase(server.url, migrated)
  const database = overServer(url)
  const close = async () => {
    await database.close()
    await drop()
  }
  return { ...database, close }
}

async function makeMigrated(server: string) {
  const { url, name } = await sharedDatabase(server, 'migrated')
  const database = overServer(url)
  await migrate(database)
  await database.close()
  return name
}

/** The first call in a checkout makes a template; the rest copy it. */
async function inMemory(): Promise<Database> {
  const path = join(cache, `template-${fingerprint()}.tar`)
  if (!existsSync(path)) await makeTemplate(path)
  return overLite(await openLite({ loadDataDir: new Blob([readFileSync(path)]) }))
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const file of readdirSync(migrationsFolder).sort())
    if (file.endsWith('.sql')) hash.update(readFileSync(join(migrationsFolder, file)))
  hash.update(readFileSync(new URL('../src/platform/migrate.ts', import.meta.url)))
  return hash.digest('hex').slice(0, 16)
}

async function makeTemplate(path: string) {
  mkdirSync(cache, { recursive: true })
  const lite = await openLite()
  const database = overLite(lite)
  await migrate(database)
  const dump = await lite.dumpDataDir('none')
  await database.close()
  writeFileSync(`${path}.${process.pid}`, Buffer.from(await dump.arrayBuffer()))
  renameSync(`${path}.${process.pid}`, path)
}
