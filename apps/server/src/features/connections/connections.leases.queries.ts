import { setTimeout as sleep } from 'node:timers/promises'
import { LeaseLost } from '../../driver.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, prepared } from '../../platform/postgres/prepared.ts'
import { and, eq, inArray, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { PlatformScope, Scope, Tx } from '../../platform/scope.ts'
import { fromNow, isOver, isUnexpired } from '../../platform/work/leases.ts'
import { companies } from '../companies/companies.table.ts'
import { channelProcesses, whatsappLeases, whatsapps } from './connections.table.ts'

/**
 * A lease expires this long after its last renewal. With claims tried every second and the time of a login, a connection
 * is back within ten seconds after a crash. Two renewals may be lost.
 */
const LEASE_MS = 6_000
export const RENEW_MS = 1_500

export interface Lease {
  companyId: number
  whatsappId: number
  epoch: number
  /** By the monotonic clock of this process; never later than the expiry in the database. */
  until: number
}

/** Whether no other process can be the owner. */
export const isHeld = ({ until }: Lease): boolean => performance.now() < until

/** The expiry of a lease requested at this time: the database counts from a later one. */
const heldFrom = (requested: number) => requested + LEASE_MS

/**
 * Throws LeaseLost unless this process owns the connection (fencing). The lock, held until the transaction ends, is the
 * weakest that blocks `claim`: renewals need not wait for it.
 */
export type Fence = (tx: Tx) => Promise<void>

const end = fromNow(LEASE_MS)

/** How often a claim that waits for transactions of the previous owner ends idle ones. */
const EVICT_MS = 500

/** The owner of a released lease. */
const RELEASED = ''

/**
 * Claims a connection whose lease is expired or released; null while it is held. Each owner gets a higher epoch.
 * `isInherited`: another process did not release it, and its last commits may not have been published.
 */
export async function claim(
  platform: PlatformScope,
  owner: string,
  of: { companyId: number; whatsappId: number },
): Promise<(Lease & { isInherited: boolean }) | null> {
  const requested = performance.now()
  const free = isOver(whatsappLeases.expiresAt)
  const [previous, row] = await platform.transaction(async sql => {
    // waits for transactions of the previous owner behind its fence
    const [before] = await evictingBlockers(platform, sql, () =>
      sql
        .select({ owner: whatsappLeases.owner })
        .from(whatsappLeases)
        .where(
          and(eq(whatsappLeases.companyId, of.companyId), eq(whatsappLeases.whatsappId, of.whatsappId), free),
        )
        .for('update'),
    )
    const [claimed] = await sql
      .insert(whatsappLeases)
      .values({ ...of, owner, epoch: 1, expiresAt: end })
      .onConflictDoUpdate({
        target: [whatsappLeases.companyId, whatsappLeases.whatsappId],
        set: { owner, epoch: tag`${whatsappLeases.epoch} + 1`, expiresAt: end },
        setWhere: free,
      })
      .returning({ epoch: whatsappLeases.epoch })
    return [before?.owner ?? RELEASED, claimed] as const
  })
  const isInherited = previous !== RELEASED && previous !== owner
  return row ? { ...of, epoch: row.epoch, until: heldFrom(requested), isInherited } : null
}

/**
 * Runs a statement that may wait for row locks. While it waits, sessions that block it, directly or through others, and
 * have been idle inside a transaction for EVICT_MS are terminated. Without this a frozen owner with several transactions
 * queued behind one lock is ended by `idle_in_transaction_session_timeout` one after another, and the lease moves late.
 * Terminating needs no more than the rights of the same login: https://www.postgresql.org/docs/18/functions-admin.html
 */
async function evictingBlockers<Rows>(
  platform: PlatformScope,
  sql: Sql,
  wait: () => Promise<Rows>,
): Promise<Rows> {
  const [own] = await rowsFrom<{ pid: number }>(sql, tag`select pg_backend_pid() as pid`)
  const over = new AbortController()
  const evicting = evictWhile(platform, own!.pid, over.signal)
  try {
    return await wait()
  } finally {
    over.abort()
    // an eviction that came later could end a session that blocks another statement of this transaction
    await evicting
  }
}

async function evictWhile(platform: PlatformScope, waiting: number, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await sleep(EVICT_MS, undefined, { signal: over }).catch(() => {})
    if (over.aborted) return
    // one that fails is repeated, and the claim fails by itself where the database is away
    await platform.transaction(other => other.execute(evictionOf(waiting))).catch(() => {})
  }
}

const evictionOf = (waiting: number) => tag`
  with recursive blockers(pid) as (
    select unnest(pg_blocking_pids(${waiting}::int))
    union
    select unnest(pg_blocking_pids(blockers.pid)) from blockers
  )
  select pg_terminate_backend(pid) from pg_stat_activity join blockers using (pid)
  where state = 'idle in transaction' and state_change < clock_timestamp() - ${EVICT_MS} * interval '1 millisecond'`

/**
 * Renews the leases of this process. Returns those it still owns: not those of a deactivated company, or of a
 * connection that rests, which neither send nor receive (OP-45).
 */
export async function renew(platform: PlatformScope, owner: string, leases: Lease[]): Promise<Set<Lease>> {
  if (leases.length === 0) return new Set()
  const requested = performance.now()
  const whatsappIds = leases.map(({ whatsappId }) => whatsappId)
  const rows = await platform.transaction(sql =>
    sql
      .update(whatsappLeases)
      .set({ expiresAt: end })
      .where(
        and(
          eq(whatsappLeases.owner, owner),
          inArray(whatsappLeases.whatsappId, whatsappIds),
          isUnexpired(whatsappLeases.expiresAt),
          tag`exists (select from ${companies} c join ${whatsapps} w on w.company_id = c.id and w.id = ${whatsappLeases.whatsappId}
            where c.id = ${whatsappLeases.companyId} and c.status = 1 and w.resting_since is null)`,
        ),
      )
      .returning({ whatsappId: whatsappLeases.whatsappId }),
  )
  const kept = new Set(rows.map(row => row.whatsappId))
  const still = leases.filter(({ whatsappId }) => kept.has(whatsappId))
  for (const lease of still) lease.until = heldFrom(requested)
  return new Set(still)
}

/**
 * Records that this process runs connections, for as long as a lease, and answers how many each of the other living ones runs.
 * What died long ago is deleted.
 */
export async function meet(platform: PlatformScope, owner: string): Promise<number[]> {
  const rows = await platform.transaction(sql =>
    rowsFrom<{ connections: number }>(
      sql,
      tag`with met as (
          insert into channel_processes (instance, expires_at) values (${owner}, ${end})
          on conflict (instance) do update set expires_at = excluded.expires_at),
        dead as (delete from channel_processes where expires_at < now() - interval '1 hour')
        select (select count(*)::int from whatsapp_leases l
          where l.owner = p.instance and l.expires_at > now()) as connections
        from channel_processes p where p.instance <> ${owner} and p.expires_at > now()`,
    ),
  )
  return rows.map(({ connections }) => connections)
}

/** The others count without this process from now on. */
export const depart = (platform: PlatformScope, owner: string) =>
  platform.transaction(sql => sql.delete(channelProcesses).where(eq(channelProcesses.instance, owner)))

/** Expires every lease: only for a process that is the only one, which need not wait for leases of its previous run. */
export const voidAll = (platform: PlatformScope) =>
  platform.transaction(async sql => {
    await sql.update(whatsappLeases).set({ expiresAt: tag`now() - interval '1 second'` })
    await sql.delete(channelProcesses)
  })

/** Releases a lease, so that another process can claim it at once. */
export const release = (platform: PlatformScope, owner: string, { whatsappId, epoch }: Lease) =>
  platform.transaction(sql =>
    sql
      .update(whatsappLeases)
      .set({ owner: RELEASED, expiresAt: tag`now() - interval '1 second'` })
      .where(
        and(
          eq(whatsappLeases.owner, owner),
          eq(whatsappLeases.whatsappId, whatsappId),
          eq(whatsappLeases.epoch, epoch),
        ),
      ),
  )

/** The check of a fence without its lock, for calls to the network. */
export const checkLease =
  (scope: Scope, owner: string, { whatsappId, epoch }: Lease): (() => Promise<void>) =>
  async () => {
    const { companyId } = scope
    const [row] = await scope.read(tx => current(tx.sql, { companyId, whatsappId, owner, epoch }))
    if (!row) throw new LeaseLost()
  }

export const fenceOf =
  (owner: string, { whatsappId, epoch }: Lease): Fence =>
  async tx => {
    const [row] = await held(tx.sql, { companyId: tx.companyId, whatsappId, owner, epoch })
    if (!row) throw new LeaseLost()
  }

const leaseOf = (sql: Sql) =>
  sql
    .select({ epoch: whatsappLeases.epoch })
    .from(whatsappLeases)
    .where(
      and(
        eq(whatsappLeases.companyId, given('companyId')),
        eq(whatsappLeases.whatsappId, given('whatsappId')),
        eq(whatsappLeases.owner, given('owner')),
        eq(whatsappLeases.epoch, given('epoch')),
        isUnexpired(whatsappLeases.expiresAt),
      ),
    )
const held = prepared(sql => leaseOf(sql).for('key share'))
const current = prepared(leaseOf)
