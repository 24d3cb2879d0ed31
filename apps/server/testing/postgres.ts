import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Where tests find a PostgreSQL server; null says why there is none. */
export async function postgresServer(): Promise<{ url: string } | { missing: string }> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) return { missing: 'TEST_DATABASE_URL is not set' }
  const answer = await ask(url, 'select 1').catch((error: unknown) => error)
  return answer instanceof Error
    ? { missing: `TEST_DATABASE_URL does not answer: ${answer.message}` }
    : { url }
}

/**
 * A database of its own on the server, empty or as another one is that nobody has open; `drop` throws out whoever is
 * still in it after a moment. Its commits do not wait for the disk: no test ends the server without a farewell.
 */
export async function createDatabase(
  server: string,
  like?: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `balcao_test_${randomBytes(6).toString('hex')}`
  await ask(server, `create database ${name}${like ? ` template ${like}` : ''}`)
  await ask(server, `alter database ${name} set synchronous_commit = off`)
  const url = new URL(server)
  url.pathname = `/${name}`
  async function drop() {
    for (let tries = 0; tries < 20; tries++) {
      const done = await ask(server, `drop database if exists ${name}`).catch(() => null)
      if (done) return
      await new Promise(wait => setTimeout(wait, 50))
    }
    await ask(server, `drop database if exists ${name} with (force)`)
  }
  return { url: url.href, drop }
}

/** One question over a connection of its own. */
export async function ask(url: string, question: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
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
