import { and, eq, gt, inArray, lt, sql as tag } from 'drizzle-orm'
import { whatsappLeases } from '../features/connections/connections.table.ts'
import type { PlatformScope, Tx } from '../platform/scope.ts'
import { LeaseLost } from './driver.ts'

/** Another process may take a connection this long after its owner was last heard of. */
const LEASE_MS = 9_000
export const RENEW_MS = 3_000

export interface Lease {
  companyId: number
  whatsappId: number
  epoch: number
}

/** Throws LeaseLost unless this process still owns the connection; holds it until the transaction ends. */
export type Fence = (tx: Tx) => Promise<void>

const end = tag`now() + ${LEASE_MS} * interval '1 millisecond'`

/** Takes a connection that nobody runs; null while somebody does. Each owner gets a higher epoch. */
export async function claim(
  platform: PlatformScope,
  owner: string,
  of: { companyId: number; whatsappId: number },
): Promise<Lease | null> {
  const [row] = await platform.transaction(sql =>
    sql
      .insert(whatsappLeases)
      .values({ ...of, owner, epoch: 1, expiresAt: end as never })
      .onConflictDoUpdate({
        target: [whatsappLeases.companyId, whatsappLeases.whatsappId],
        set: { owner, epoch: tag`${whatsappLeases.epoch} + 1`, expiresAt: end },
        setWhere: lt(whatsappLeases.expiresAt, tag`now()`),
      })
      .returning({ epoch: whatsappLeases.epoch }),
  )
  return row ? { ...of, epoch: row.epoch } : null
}

/** Keeps what this process runs. Answers the connections that are still its own. */
export async function renew(
  platform: PlatformScope,
  owner: string,
  whatsappIds: number[],
): Promise<Set<number>> {
  if (whatsappIds.length === 0) return new Set()
  const rows = await platform.transaction(sql =>
    sql
      .update(whatsappLeases)
      .set({ expiresAt: end as never })
      .where(
        and(
          eq(whatsappLeases.owner, owner),
          inArray(whatsappLeases.whatsappId, whatsappIds),
          gt(whatsappLeases.expiresAt, tag`now()`),
        ),
      )
      .returning({ whatsappId: whatsappLeases.whatsappId }),
  )
  return new Set(rows.map(row => row.whatsappId))
}

/** Voids every lease: only for a process that knows it is the only one, so that it need not wait for its former self. */
export const voidAll = (platform: PlatformScope) =>
  platform.transaction(sql =>
    sql.update(whatsappLeases).set({ expiresAt: tag`now() - interval '1 second'` as never }),
  )

/** Lets the next process take over at once. */
export const release = (platform: PlatformScope, owner: string, { whatsappId, epoch }: Lease) =>
  platform.transaction(sql =>
    sql
      .update(whatsappLeases)
      .set({ expiresAt: tag`now() - interval '1 second'` as never })
      .where(
        and(
          eq(whatsappLeases.owner, owner),
          eq(whatsappLeases.whatsappId, whatsappId),
          eq(whatsappLeases.epoch, epoch),
        ),
      ),
  )

export const fenceOf =
  (owner: string, { whatsappId, epoch }: Lease): Fence =>
  async tx => {
    const [row] = await tx.sql
      .select({ epoch: whatsappLeases.epoch })
      .from(whatsappLeases)
      .where(
        and(
          eq(whatsappLeases.companyId, tx.companyId),
          eq(whatsappLeases.whatsappId, whatsappId),
          eq(whatsappLeases.owner, owner),
          eq(whatsappLeases.epoch, epoch),
          gt(whatsappLeases.expiresAt, tag`now()`),
        ),
      )
      .for('share')
    if (!row) throw new LeaseLost()
  }
