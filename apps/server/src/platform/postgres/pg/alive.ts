import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'

/** How long a connection that is in use may be silent before the server is asked whether it knows it. */
const QUIET_MS = 3_000

/** What pg 8.23.1 knows of a connection beside what its types say; `alive.test.ts` fails when that changes. */
interface Connection {
  processID: number
  connection: { stream: Socket }
}
export const insideOf = (client: pg.PoolClient) => client as unknown as Connection

/**
 * Ends connections without an answer that nothing else ends: the server was replaced, or a firewall
 * forgot them. A long statement is silent too, so another connection asks the server which of ours it still has.
 *
 * Instead of: a time-out for every query, which a long statement would meet too. It gains no speed: a request that met a
 * forgotten connection waited for minutes (up to 110 s after a restart of the database), now about 4 s.
 *
 * Answers the name under which the pool's connections must present themselves.
 */
export function endTheForgotten(url: string) {
  const name = `balcao ${randomUUID()}`
  const open = new Set<Connection>()
  const inUse = new Map<Connection, { read: number; since: number }>()
  let asking = false

  const quiet = () => {
    const now = performance.now()
    for (const [connection, seen] of inUse) {
      const { bytesRead } = connection.connection.stream
      if (bytesRead !== seen.read) inUse.set(connection, { read: bytesRead, since: now })
      else if (now - seen.since > QUIET_MS) return true
    }
    return false
  }

  async function look() {
    if (asking || !quiet()) return
    asking = true
    const before = [...open]
    const living = await pidsOf(url, name)
      .catch(() => null) // a server that does not answer is no statement about one of them
      .finally(() => {
        asking = false
      })
    for (const connection of before)
      if (living && !living.has(connection.processID))
        connection.connection.stream.destroy(new Error('Connection terminated: the server does not know it'))
  }

  function watch(pool: pg.Pool) {
    pool.on('connect', client => open.add(insideOf(client)))
    pool.on('acquire', client => inUse.set(insideOf(client), { read: -1, since: performance.now() }))
    pool.on('release', (_error, client) => inUse.delete(insideOf(client)))
    pool.on('remove', client => {
      open.delete(insideOf(client))
      inUse.delete(insideOf(client))
    })
    const timer = setInterval(look, 1_000)
    timer.unref()
    return () => clearInterval(timer)
  }

  return { name, watch }
}

async function pidsOf(url: string, name: string) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where application_name = $1',
      [name],
    )
    return new Set(rows.map(({ pid }) => pid))
  } finally {
    void client.end().catch(() => {})
  }
}
