import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { finished } from '../prepare/run.js'
import type { Rule } from './codebase.ts'

/** What the migrations build is what the tables say: drizzle-kit, asked in a copy, finds nothing to add. */
export const migrationsMatch: Rule = {
  name: 'migrations build the tables',
  async find({ root }) {
    const server = join(root, 'apps/server')
    if (!existsSync(join(server, 'migrations'))) return []
    const copy = mkdtempSync(join(tmpdir(), 'balcao-migrations-'))
    try {
      cpSync(join(server, 'migrations'), copy, { recursive: true })
      const { code, output } = await generateInto(server, copy)
      const added = readdirSync(copy).filter(
        name => name.endsWith('.sql') && !existsSync(join(server, 'migrations', name)),
      )
      if (added.length > 0) return added.map(name => drift(readFileSync(join(copy, name), 'utf8')))
      if (code !== 0)
        return [`drizzle-kit ends with code ${code}: ${output.trim().split('\n').slice(-8).join('\n')}`]
      return []
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  },
}

function generateInto(server: string, folder: string) {
  const kit = join(server, '../../node_modules/drizzle-kit/bin.cjs')
  const schema = './src/features/*/*.table.ts'
  const args = ['generate', '--dialect', 'postgresql', '--schema', schema, '--out', relative(server, folder)]
  return finished(process.execPath, [kit, ...args], { cwd: server, quiet: true })
}

const drift = (sql: string) =>
  `a table changed without its migration: in apps/server run npx drizzle-kit generate --name WHAT_CHANGED. It would add:\n${sql.trim()}`
