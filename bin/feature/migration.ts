import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from '../prepare/run.js'
import { here } from '../rules/codebase.ts'

/**
 * Writes a migration for the difference between the tables and the migrations, and removes the snapshot that was the
 * newest before. Throws the generator's message when it refuses.
 */
export async function writeMigration(
  name: string,
  { more = [], quiet = false }: { more?: string[]; quiet?: boolean } = {},
) {
  const server = join(here, 'apps/server')
  const kit = join(here, 'node_modules/drizzle-kit/bin.cjs')
  const args = [kit, 'generate', '--name', name, ...more]
  const { code, output } = await finished(process.execPath, args, { cwd: server, quiet })
  if (code !== 0) throw new Error(output)
  const { kept, found } = snapshotsIn(join(server, 'migrations'))
  for (const snapshot of found) if (snapshot !== kept) rmSync(join(server, 'migrations/meta', snapshot))
}

/** The snapshots in a folder of migrations, and the one that belongs there: that of the newest migration. */
export function snapshotsIn(migrations: string) {
  const meta = join(migrations, 'meta')
  const { entries } = JSON.parse(readFileSync(join(meta, '_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  const kept = `${entries.at(-1)?.tag.split('_')[0]}_snapshot.json`
  return { kept, found: readdirSync(meta).filter(name => name.endsWith('_snapshot.json')) }
}
