import { openConnection } from '../src/channels/open.ts'
import type { ChannelSession, SessionHost } from '../src/driver.ts'
import type { Lease } from '../src/features/connections/connections.leases.queries.ts'
import { rowsFrom, sql as tag } from '../src/platform/postgres/sql.ts'
import type { TestApp } from './test-app.ts'

const OWNER = 'a test'
const HOUR_MS = 3_600_000
/** The product's own process looks after its connections seldom. */
const LOOK_MS = 500

/** A network without traffic of its own: each message that leaves is recorded. */
export interface ClaimedConnection {
  host: SessionHost
  owner: string
  lease: Lease
  /** Bodies of what left. */
  left: string[]
  /** Looks for nothing any more, and keeps the lease. */
  rest(): Promise<void>
  close(): Promise<void>
}

/**
 * Claims the lease of a connection from the product's own process, and runs it with a session that `what` overrides.
 */
export async function claimConnection(
  { platform }: TestApp,
  of: { companyId: number; whatsappId: number },
  what: Partial<ChannelSession> = {},
): Promise<ClaimedConnection> {
  const [row] = await platform.scopes.platform().transaction(sql =>
    rowsFrom<{ epoch: number }>(
      sql,
      tag`update whatsapp_leases set owner = ${OWNER}, epoch = epoch + 1, expires_at = now() + interval '1 hour'
        where whatsapp_id = ${of.whatsappId} returning epoch::int as epoch`,
    ),
  )
  const lease = { ...of, epoch: row!.epoch, until: performance.now() + HOUR_MS }
  const left: string[] = []
  let host: SessionHost
  const session: ChannelSession = {
    ready: () => true,
    async send(message, leave) {
      await leave()
      left.push(message.body)
      return { is: 'sent' }
    },
    async act(_, leave) {
      await leave()
      return { is: 'sent' }
    },
    download: async () => Promise.reject(new Error('nothing is here')),
    markRead: async () => {},
    type: async () => {},
    close: async () => {},
    ...what,
  }
  const open = async (given: SessionHost) => {
    host = given
    return session
  }
  const connection = openConnection(platform, { lib: 'simulator', open }, OWNER, lease)
  await connection.carryOut({ number: 1, wanted: 'on', pairNumber: '' })
  const looking = setInterval(() => connection.wake(), LOOK_MS)
  async function rest() {
    clearInterval(looking)
    await connection.drop()
  }
  return {
    host: host!,
    ...{ owner: OWNER, lease, left, rest },
    async close() {
      await rest()
      await platform.scopes
        .platform()
        .transaction(sql =>
          sql.execute(
            tag`update whatsapp_leases set expires_at = now() - interval '1 second' where whatsapp_id = ${of.whatsappId}`,
          ),
        )
    },
  }
}
