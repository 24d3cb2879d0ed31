import type pg from 'pg'
import { ConfigError } from '../config.ts'
import { isOfDatabase } from '../errors.ts'
import { insideOf, postgresClient } from '../outbound/postgres.client.ts'

const ASK_MS = 10_000
const DUPLICATE = '42P05'

/**
 * Whether a pooler is between this process and the server: then the process that answers is not the one that the
 * connection was opened to. It is asked of the connection, since a pooler's own console needs rights that a product's user
 * rarely has. Throws ConfigError for one that does not keep prepared statements, as PgBouncer before 1.21: each connection
 * of the server would have some of them, and a statement would now and then not be known.
 */
export const isPooled = (url: string, variable = 'DATABASE_URL'): Promise<boolean> =>
  asked(url, async client => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (rows[0]!.pid === insideOf(client).processID) return false
    if (await keepsStatements(client)) return true
    throw new ConfigError(
      `${variable} names a pooler that does not keep prepared statements: it takes PgBouncer 1.21 or newer with ` +
        'pool_mode = transaction and max_prepared_statements above 0, or the server itself',
    )
  })

/** Whether both lead to the same database of the same server: migrations of another would be missing in this one. */
export async function isSameDatabase(...urls: [string, string]): Promise<boolean> {
  const [one, other] = await Promise.all(
    urls.map(url =>
      asked(url, async client => {
        const { rows } = await client.query<{ is: string }>(
          'select extract(epoch from pg_postmaster_start_time()) || current_database() as is',
        )
        return rows[0]!.is
      }),
    ),
  )
  return one === other
}

async function asked<T>(url: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = postgresClient({
    connectionString: url,
    connectionTimeoutMillis: ASK_MS,
    query_timeout: ASK_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await ask(client)
  } finally {
    void client.end().catch(() => {})
  }
}

/** One that keeps them gives each text a name of its own; by its first name the server knows none. */
async function keepsStatements(client: pg.Client): Promise<boolean> {
  const name = `balcao_asks_${process.pid}_${Math.round(performance.now() * 1_000)}`
  await client.query('begin')
  try {
    await client.query({ name, text: 'select $1::int', values: [1] })
    const { rowCount } = await client.query('select from pg_prepared_statements where name = $1', [name])
    if (rowCount) await client.query(`deallocate ${name}`)
    return rowCount === 0
  } catch (error) {
    if (isOfDatabase(error as Error) && (error as { code: string }).code === DUPLICATE) return false
    throw error
  } finally {
    await client.query('rollback')
  }
}
