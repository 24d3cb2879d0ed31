import { LeaseLost } from '../../driver.ts'
import { given, prepared } from '../../platform/db.prepared.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { and, eq, gt, inArray, lt, sql as tag } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsappLeases } from './connections.table.ts'

/**
 * Another process may take a connection this long after its owner was last heard of, and looks every second: with
 * the time that a login takes, and that a busy machine loses, it is back within ten. Two words of the owner may be lost.
 */
const LEASE_MS = 6_000
export const RENEW_MS = 1_500

export interface Lease {
  companyId: number
  whatsappId: number
  epoch: number
  /** By the clock of this process, which also runs while it stands still; never later than the database says. */
  until: number
}

/** Whether no other process can be the owner yet. */
export const isHeld = ({ until }: Lease): boolean => performance.now() < until

/** How long a lease is held that was asked for at this moment: the database counted from a later one. */
const heldFrom = (asked: number) => asked + LEASE_MS

/**
 * Throws LeaseLost unless this process still owns the connection; holds it until the transaction ends. Nobody may take
 * it meanwhile; renewing need not wait, which is why the lock is the weakest that `claim` respects.
 */
export type Fence = (tx: Tx) => Promise<void>

const end = tag`now() + ${LEASE_MS} * interval '1 millisecond'`

/** Takes a connection that nobody runs; null while somebody does. Each owner gets a higher epoch. */
export async function claim(
  platform: PlatformScope,
  owner: string,
  of: { companyId: number; whatsappId: number },
): Promise<Lease | null> {
  const asked = performance.now()
  const isOver = lt(whatsappLeases.expiresAt, tag`now()`)
  const [row] = await platform.transaction(async sql => {
    // Waits for what the former owner is still writing behind its fence.
    await sql
      .select({ epoch: whatsappLeases.epoch })
      .from(whatsappLeases)
      .where(
        and(eq(whatsappLeases.companyId, of.companyId), eq(whatsappLeases.whatsappId, of.whatsappId), isOver),
      )
      .for('update')
    return sql
      .insert(whatsappLeases)
      .values({ ...of, owner, epoch: 1, expiresAt: end as never })
      .onConflictDoUpdate({
        target: [whatsappLeases.companyId, whatsappLeases.whatsappId],
        set: { owner, epoch: tag`${whatsappLeases.epoch} + 1`, expiresAt: end },
        setWhere: isOver,
      })
      .returning({ epoch: whatsappLeases.epoch })
  })
  return row ? { ...of, epoch: row.epoch, until: heldFrom(asked) } : null
}

/**
 * Keeps what this process runs. Answers the leases that are still its own: not those of a company that was switched
 * off, whose numbers neither send nor hear from then on (OP-45).
 */
export async function renew(platform: PlatformScope, owner: string, leases: Lease[]): Promise<Set<Lease>> {
  if (leases.length === 0) return new Set()
  const asked = performance.now()
  const whatsappIds = leases.map(({ whatsappId }) => whatsappId)
  const rows = await platform.transaction(sql =>
    sql
      .update(whatsappLeases)
      .set({ expiresAt: end as never })
      .where(
        and(
          eq(whatsappLeases.owner, owner),
          inArray(whatsappLeases.whatsappId, whatsappIds),
          gt(whatsappLeases.expiresAt, tag`now()`),
          tag`exists (select from ${companies} c where c.id = ${whatsappLeases.companyId} and c.status = 1)`,
        ),
      )
      .returning({ whatsappId: whatsappLeases.whatsappId }),
  )
  const kept = new Set(rows.map(row => row.whatsappId))
  const still = leases.filter(({ whatsappId }) => kept.has(whatsappId))
  for (const lease of still) lease.until = heldFrom(asked)
  return new Set(still)
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
    const [row] = await held(tx.sql, { companyId: tx.companyId, whatsappId, owner, epoch })
    if (!row) throw new LeaseLost()
  }

const held = prepared(sql =>
  sql
    .select({ epoch: whatsappLeases.epoch })
    .from(whatsappLeases)
    .where(
      and(
        eq(whatsappLeases.companyId, given('companyId')),
        eq(whatsappLeases.whatsappId, given('whatsappId')),
        eq(whatsappLeases.owner, given('owner')),
        eq(whatsappLeases.epoch, given('epoch')),
        gt(whatsappLeases.expiresAt, tag`now()`),
      ),
    )
    .for('key share'),
)
