import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The PostgreSQL server of this run (run.ts): its superuser, in a database that is otherwise unused. */
export const serverUrl = (): string => process.env.TEST_DATABASE_URL!

/** A new database, empty or a copy of another one without open connections; `drop` ends all its connections. */
export async function createDatabase(like?: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `balcao_test_${randomBytes(6).toString('hex')}`
  // in memory copying files is faster than PostgreSQL's default strategy
  await asSuperuser(`create database ${name} strategy file_copy ${like ? `template ${like}` : ''}`)
  const drop = async () => void (await asSuperuser(`drop database if exists ${name} with (force)`))
  return { url: urlOf(name), drop }
}

/** The address of a database on the server of this run. */
export function urlOf(name: string): string {
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return url.href
}

/** One question over a connection of its own. */
export async function ask(url: string, question: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    // of several statements the last one answers
    const answers = [await client.query(question)].flat()
    return answers.at(-1)!.rows
  } finally {
    await client.end()
  }
}

/** One connection as superuser for the whole process, since opening one costs more than what is asked over it. */
let superuser: pg.Pool | undefined

function asSuperuser(statement: string) {
  superuser ??= new pg.Pool({ connectionString: serverUrl(), max: 1, allowExitOnIdle: true }).on(
    'error',
    () => {},
  )
  return superuser.query(statement)
}
