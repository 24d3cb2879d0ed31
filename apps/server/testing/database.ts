import { type Database, openDatabase, sharedOf } from '../src/platform/postgres/db.ts'
import { migrate } from '../src/platform/postgres/migrate.ts'
import { createDatabase } from './postgres.ts'
import { madeOnce, sharedDatabase } from './run.ts'

/** Fewer than an operator usually has: each costs as much of the processor as a hundred small statements. */
export const CONNECTIONS = 8

/** A migrated, empty database of its own; closing drops it. */
export const freshDatabase = async (connections = CONNECTIONS): Promise<Database> =>
  databaseLike(await migrated(), connections)

/** A copy of another database of this run, without open connections; closing drops it. */
export async function databaseLike(template: string, connections = CONNECTIONS): Promise<Database> {
  const { url, drop } = await createDatabase(template)
  const database = openDatabase(url, sharedOf(connections))
  async function close() {
    await database.close()
    await drop()
  }
  return { ...database, close }
}

const migrated = () =>
  madeOnce('migrated', async () => {
    const { url, name } = await sharedDatabase('migrated')
    const database = openDatabase(url)
    await migrate(database)
    await database.close()
    return name
  })
