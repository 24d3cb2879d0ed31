import type { Socket } from 'node:net'
import pg from 'pg'
import { connectionTo } from './postgres.hosts.ts'

/** What pg 8.23.1 knows of a connection beside what its types say; `alive.test.ts` fails when that changes. */
interface Inside {
  processID: number
  connection: { stream: Socket }
  /** The statement that is under way. */
  _activeQuery: object | null
}
export const insideOf = (client: pg.ClientBase) => client as unknown as Inside

const CONNECT_MS = 10_000
/** No statement of a command or a job takes longer (ms) until its first row, or between two. */
const SILENT_MS = 15 * 60_000
const LOOK_MS = 30_000

/** Connections that are shared. A caller that gets none in time is refused; `endTheForgotten` ends those without an answer. */
export const postgresPool = ({ url, ...given }: pg.PoolConfig & { url: string }): pg.Pool =>
  new pg.Pool({ connectionTimeoutMillis: CONNECT_MS, keepAlive: true, ...given, ...connectionTo(url) })

/** One connection, for a command or a job: ended when a statement is answered by nothing for a quarter of an hour. */
export function postgresClient(given: pg.ClientConfig, silentMs = SILENT_MS): pg.Client {
  const { Client, connectionString } = connectionTo(given.connectionString!)
  const client = new Client({
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...given,
    connectionString,
  })
  let [read, since] = [-1, performance.now()]
  const timer = setInterval(
    () => {
      const { connection, _activeQuery } = insideOf(client)
      const { bytesRead, destroyed } = connection.stream
      if (destroyed) clearInterval(timer)
      if (!_activeQuery || bytesRead !== read) [read, since] = [bytesRead, performance.now()]
      else if (performance.now() - since > silentMs)
        connection.stream.destroy(new Error('Connection terminated: the server is silent'))
    },
    Math.min(LOOK_MS, silentMs / 3),
  )
  timer.unref()
  client.once('end', () => clearInterval(timer))
  return client
}
