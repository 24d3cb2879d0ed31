import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { snapshotsIn } from '../feature/migration.ts'
import { finished } from '../prepare/run.js'
import type { Rule } from './codebase.ts'

/** The migrations build the tables of the code: drizzle-kit, run in a copy, finds nothing to add. */
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

/** A snapshot is the whole schema once more, and the generator compares the tables with the newest alone. */
export const oneSnapshot: Rule = {
  name: 'only the newest snapshot of the migrations is kept',
  find({ root }) {
    const migrations = join(root, 'apps/server/migrations')
    if (!existsSync(migrations)) return []
    const { kept, found } = snapshotsIn(migrations)
    const older = found.filter(name => name !== kept)
    return [
      ...older.map(
        name => `apps/server/migrations/meta/${name}: only ${kept}, the newest, is kept: remove it`,
      ),
      ...(found.includes(kept) ? [] : [`apps/server/migrations/meta/${kept} is missing: ${WRITTEN}`]),
    ]
  },
}

/** Landed before the rule: a row for each connection. */
const BEFORE = new Set(['0000_baseline.sql', '0002_recipients.sql'])
/** What changes rows of a table, and what writes all of them anew. */
const MOVES = /^(with\b|update\b|delete\b|merge\b|do\b|insert\b[\s\S]*\bselect\b)/i
const REWRITES =
  /\b(alter\s+column\s+\S+\s+(set\s+data\s+)?type|set\s+not\s+null|generated\s+always\s+as\s*\([\s\S]*stored)\b/i

/**
 * A start waits for its migrations, and all requests wait for their locks: they change tables, and rows are moved in
 * batches while the product serves.
 */
export const noRowsMoved: Rule = {
  name: 'migrations move no rows',
  find({ root }) {
    const migrations = join(root, 'apps/server/migrations')
    if (!existsSync(migrations)) return []
    return readdirSync(migrations)
      .filter(name => name.endsWith('.sql') && !BEFORE.has(name))
      .toSorted()
      .flatMap(name =>
        readFileSync(join(migrations, name), 'utf8')
          .replaceAll('--> statement-breakpoint', ';')
          .replace(/^\s*--.*$/gm, '')
          // what a function does is not done now
          .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '')
          .split(';')
          .map(statement => statement.trim())
          .filter(statement => MOVES.test(statement) || REWRITES.test(statement))
          .map(
            statement =>
              `apps/server/migrations/${name}: \`${statement.split('\n')[0]!.slice(0, 80)}\` takes as long as the table is: ` +
              'let a job move rows in batches (CONTRIBUTING.md, Change a table)',
          ),
      )
  },
}

const WRITTEN = 'npm run migration NAME writes a migration and its snapshot'

function generateInto(server: string, folder: string) {
  const kit = join(server, '../../node_modules/drizzle-kit/bin.cjs')
  const schema = './src/features/*/*.table.ts'
  const args = ['generate', '--dialect', 'postgresql', '--schema', schema, '--out', relative(server, folder)]
  return finished(process.execPath, [kit, ...args], { cwd: server, quiet: true })
}

const drift = (sql: string) =>
  `a table changed without its migration: npm run migration WHAT_CHANGED. It would add:\n${sql.trim()}`
