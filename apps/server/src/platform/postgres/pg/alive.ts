import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { isOfDatabase } from '../../errors.ts'
import { insideOf, postgresClient } from '../../outbound/postgres.client.ts'

/** How long a connection that is in use may be silent before the server is asked whether it knows it. */
const QUIET_MS = 3_000

/** A statement that is answered more slowly (bytes) looks as if it were not answered at all. */
const FLOW_BYTES = 4_096
/** How long a server that does not answer may be silent on a connection that is in use. */
const SILENT_MS = 20_000
/** How long one may be silent behind a pooler that answers: a little longer than any statement of ours takes. */
const POOLED_MS = 11 * 60_000
const ASK_MS = 5_000

type Connection = ReturnType<typeof insideOf>

/**
 * Ends connections without an answer that nothing else ends: the server was replaced, or a firewall
 * forgot them. A long statement is silent too, so another connection asks the server which of ours it still has. A server
 * that does not answer that either, for `silentMs`, is not there: what waits for it fails and is tried again.
 *
 * Instead of: a time-out for every query, which a long statement would meet too. It gains no speed: a request that met a
 * forgotten connection waited for minutes (up to 110 s after a restart of the database), now about 4 s.
 *
 * Behind a pooler the server knows none of ours: one that is silent for longer than any statement may take is ended, and
 * the pooler is asked only whether it answers.
 *
 * Answers the name under which the pool's connections must present themselves.
 */
export function endTheForgotten(
  url: string,
  { silentMs = SILENT_MS, isPooled = false }: { silentMs?: number | undefined; isPooled?: boolean } = {},
) {
  const name = `balcao ${randomUUID()}`
  const open = new Set<Connection>()
  const inUse: InUse = new Map()
  const quiet = () => quietIn(inUse, Math.min(QUIET_MS, silentMs))
  let asking = false

  async function look() {
    if (asking || quiet().length === 0) return
    asking = true
    const before = [...open]
    const living = await pidsOf(url, name, Math.min(ASK_MS, silentMs))
      // a refusal is an answer, though no statement about one of them
      .catch((error: Error) => (isOfDatabase(error) ? null : ('silent' as const)))
      .finally(() => {
        asking = false
      })
    if (living === 'silent' || isPooled) {
      const most = living === 'silent' ? silentMs : POOLED_MS
      for (const { connection, forMs } of quiet())
        if (forMs >= most) end(connection, 'the server does not answer')
    } else if (living)
      for (const connection of before)
        if (!living.has(connection.processID)) end(connection, 'the server does not know it')
  }

  function watch(pool: pg.Pool) {
    pool.on('connect', client => open.add(insideOf(client)))
    pool.on('acquire', client =>
      inUse.set(insideOf(client), { read: 0, query: null, since: performance.now() }),
    )
    pool.on('release', (_error, client) => inUse.delete(insideOf(client)))
    pool.on('remove', client => {
      open.delete(insideOf(client))
      inUse.delete(insideOf(client))
    })
    const timer = setInterval(look, Math.min(1_000, silentMs / 2))
    timer.unref()
    return () => clearInterval(timer)
  }

  return { name, watch }
}

type InUse = Map<Connection, { read: number; query: object | null; since: number }>

/** Connections on which one statement has received next to nothing for so long. */
function quietIn(inUse: InUse, quietMs: number) {
  const now = performance.now()
  const found: { connection: Connection; forMs: number }[] = []
  for (const [connection, seen] of inUse) {
    const { connection: line, _activeQuery: query } = connection
    const { bytesRead } = line.stream
    if (bytesRead - seen.read >= FLOW_BYTES || query !== seen.query || !query)
      inUse.set(connection, { read: bytesRead, query, since: now })
    else if (now - seen.since > quietMs) found.push({ connection, forMs: now - seen.since })
  }
  return found
}

const end = ({ connection: { stream } }: Connection, why: string) =>
  stream.destroy(new Error(`Connection terminated: ${why}`))

async function pidsOf(url: string, name: string, ms: number) {
  const client = postgresClient({ connectionString: url, connectionTimeoutMillis: ms, query_timeout: ms })
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
