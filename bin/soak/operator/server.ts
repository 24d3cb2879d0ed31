import { existsSync } from 'node:fs'
import { majorOf, whyNoDump } from '../../../apps/server/testing/dump.ts'
import { ask } from '../../../apps/server/testing/postgres.ts'
import { startTestServer } from '../../../apps/server/testing/server.ts'
import { startServer } from '../servers.ts'

/** A PostgreSQL server that the installation moves to, and whether its dump programs are here. */
export interface DatabaseServer {
  version: string
  /** Why `pg_dump` is not used; null where it is. */
  noDump: string | null
  /** An empty database of a user who may create roles; answers the address for the product. */
  createDatabase(name: string): Promise<string>
  /** Reads all companies' rows, which the product's own user may not. */
  rows(name: string, query: string): Promise<Record<string, unknown>[]>
  end(): Promise<void>
}

const OWNER = { name: 'balcao_operador', password: 'operador' }

/**
 * Of the release whose `pg_dump` is on the PATH, where Debian has its server beside it: an older `pg_dump` refuses a newer
 * server. Elsewhere the one that comes with the product.
 */
export async function openServer(): Promise<DatabaseServer> {
  const bin = `/usr/lib/postgresql/${majorOf('pg_dump')}/bin`
  const { url, end } = existsSync(`${bin}/postgres`) ? await startServer(bin) : await startTestServer()
  const [{ version }] = (await ask(url, `select current_setting('server_version') as version`)) as [
    { version: string },
  ]
  await ask(url, `create role ${OWNER.name} login createrole password '${OWNER.password}'`)
  const addressOf = (name: string, user?: typeof OWNER) => {
    const address = new URL(url)
    address.pathname = `/${name}`
    if (user) [address.username, address.password] = [user.name, user.password]
    return address.href
  }
  return {
    version,
    noDump: whyNoDump(Number.parseInt(version, 10)),
    async createDatabase(name) {
      await ask(url, `create database ${name} owner ${OWNER.name}`)
      return addressOf(name, OWNER)
    },
    rows: (name, query) => ask(addressOf(name), query),
    end,
  }
}
