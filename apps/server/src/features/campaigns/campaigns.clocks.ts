import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, eq, lte, sql as tag } from '../../platform/sql.ts'
import { isAtWork } from '../companies/companies.standing.ts'
import { campaignClocks } from './campaigns.table.ts'

/** Numbers of all companies that a worker has to look at, the longest due first. */
export const clocksDue = (sql: Sql, most: number) =>
  sql
    .select({ companyId: campaignClocks.companyId, whatsappId: campaignClocks.whatsappId })
    .from(campaignClocks)
    .where(and(lte(campaignClocks.lookAt, tag`now()`), isAtWork(campaignClocks.companyId)))
    .orderBy(asc(campaignClocks.lookAt))
    .limit(most)

export interface Clock {
  /** Milliseconds, by the database's clock. */
  now: number
  freeAt: number
  refusals: number
}

const milliseconds = (at: typeof campaignClocks.freeAt | ReturnType<typeof tag>) =>
  tag<number>`(extract(epoch from ${at}) * 1000)::float8`

/** Takes a number's turn for this transaction; null when another worker has it, or it is not due any more. */
export async function claimClock(tx: Tx, whatsappId: number): Promise<Clock | null> {
  const [row] = await tx.sql
    .select({
      now: milliseconds(tag`now()`),
      freeAt: milliseconds(campaignClocks.freeAt),
      refusals: campaignClocks.refusals,
    })
    .from(campaignClocks)
    .where(and(own(tx, whatsappId), lte(campaignClocks.lookAt, tag`now()`)))
    .for('update', { skipLocked: true })
  return row ?? null
}

/** Locked, whenever it is due; null for a number that never sent. */
export async function lockClock(tx: Tx, whatsappId: number): Promise<Clock | null> {
  const [row] = await tx.sql
    .select({
      now: milliseconds(tag`now()`),
      freeAt: milliseconds(campaignClocks.freeAt),
      refusals: campaignClocks.refusals,
    })
    .from(campaignClocks)
    .where(own(tx, whatsappId))
    .for('update')
  return row ?? null
}

/** `lookAt` null: there is nothing to send. */
export const setClock = (
  tx: Tx,
  whatsappId: number,
  { freeAt, lookAt, refusals }: { freeAt?: number; lookAt?: number | null; refusals?: number },
) =>
  tx.sql
    .update(campaignClocks)
    .set({
      ...(freeAt !== undefined && { freeAt: momentAt(freeAt) }),
      ...(lookAt !== undefined && { lookAt: lookAt === null ? null : momentAt(lookAt) }),
      ...(refusals !== undefined && { refusals }),
    })
    .where(own(tx, whatsappId))

export const momentAt = (ms: number) => new Date(Math.ceil(ms)).toISOString()

/** Every number of a campaign is looked at as soon as its pause is over. */
export const wakeClocks = (tx: Tx, campaignId: number) =>
  tx.sql.execute(tag`
    insert into campaign_clocks (company_id, whatsapp_id, look_at)
    select c.company_id, n.whatsapp_id, now() from campaigns c
    join campaign_setup_connections n on n.company_id = c.company_id and n.setup_id = c.setup_id
    where c.company_id = ${tx.companyId} and c.id = ${campaignId}
    order by n.whatsapp_id
    on conflict (company_id, whatsapp_id) do update
      set look_at = greatest(campaign_clocks.free_at, now())`)

const own = (tx: Tx, whatsappId: number) =>
  and(eq(campaignClocks.companyId, tx.companyId), eq(campaignClocks.whatsappId, whatsappId))
