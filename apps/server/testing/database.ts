import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Database, openLite, overLite } from '../src/platform/db.ts'
import { migrate, migrationsFolder } from '../src/platform/migrate.ts'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/balcao', import.meta.url))

/** A migrated, empty database in memory. The first call in a checkout makes a template; the rest copy it. */
export async function freshDatabase(): Promise<Database> {
  const path = join(cache, `template-${fingerprint()}.tar.gz`)
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
  const dump = await lite.dumpDataDir('gzip')
  await database.close()
  writeFileSync(`${path}.${process.pid}`, Buffer.from(await dump.arrayBuffer()))
  renameSync(`${path}.${process.pid}`, path)
}
