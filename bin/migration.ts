import { writeMigration } from './feature/migration.ts'

const usage = `npm run migration NAME
  Writes the migration of what changed in the tables (apps/server/src/features/*/*.table.ts), named NAME.
  NAME -- --custom   an empty one, to be written by hand: a function, a trigger, a change of rows`

try {
  const [name, ...more] = process.argv.slice(2)
  if (!name || name.startsWith('-')) throw new Error(usage)
  await writeMigration(name, { more })
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
