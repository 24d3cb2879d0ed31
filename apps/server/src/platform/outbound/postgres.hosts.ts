import pg from 'pg'

/**
 * An address that names several servers of one database, as libpq writes it: `postgres://user@one:5432,two:5432/name`.
 * Of them the primary is connected to (`target_session_attrs=read-write`, which is also meant where it is not written).
 */
const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]+)([/?#].*)?$/i

/** How long one server may take to answer what it is; the wait for a connection is longer. */
const ASK_MS = 3_000
/** So long the answer holds: connections that are opened together ask once. */
const HOLDS_MS = 1_000

/** The address of each of its servers; of a usual address that one. */
export function addressesIn(url: string): string[] {
  const [, before, hosts, after = ''] = SEVERAL.exec(url) ?? []
  return hosts?.includes(',') ? hosts.split(',').map(host => `${before}${host}${after}`) : [url]
}

/** An address as pg takes it, and the client that connects to it: of several servers to the one that accepts writes. */
export function connectionTo(url: string): { connectionString: string; Client: typeof pg.Client } {
  const addresses = addressesIn(url)
  return {
    connectionString: addresses[0]!,
    Client: addresses.length === 1 ? pg.Client : clientOfPrimary(addresses),
  }
}

/**
 * pg knows one host for each client. This one asks all of them, before it connects, which accepts writes: after a standby
 * was promoted the connections that break are opened to it.
 */
function clientOfPrimary(addresses: string[]): typeof pg.Client {
  let asked: { answer: Promise<Server>; at: number } | undefined

  function primary() {
    const now = performance.now()
    if (!asked || now - asked.at > HOLDS_MS)
      asked = { at: now, answer: Promise.any(addresses.map(acceptsWrites)).catch(failed) }
    return asked.answer
  }

  return class extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(done: (error: Error | undefined) => void): void
    override connect(done?: (error: Error | undefined) => void): Promise<pg.Client> | undefined {
      const opened = primary().then(server => {
        Object.assign(this, server)
        return super.connect()
      })
      if (!done) return opened
      opened.then(() => done(undefined), done)
      return undefined
    }
  }
}

type Server = Pick<pg.Client, 'host' | 'port'>

/** Rejects where it does not answer or is a standby. */
async function acceptsWrites(connectionString: string): Promise<Server> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ASK_MS, query_timeout: ASK_MS })
  client.on('error', () => {})
  const { host, port } = client
  try {
    await client.connect()
    const { rows } = await client.query<{ is: boolean }>(
      `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as is`,
    )
    if (!rows[0]!.is) throw new Error(`${host} is a standby`)
    return { host, port }
  } finally {
    void client.end().catch(() => {})
  }
}

/** The code is that of a server which cannot serve now: whoever asked may try again. */
function failed({ errors }: AggregateError): never {
  const why = errors.map(({ message, code }) => message || code).join('; ')
  throw Object.assign(new Error(`no server of the database accepts writes (${why})`), { code: '57P03' })
}
