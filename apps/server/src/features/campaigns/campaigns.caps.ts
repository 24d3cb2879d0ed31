import type { Cap } from '@balcao/contract/campaigns.rules.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq, isNotNull, sql as tag } from '../../platform/sql.ts'
import { campaignDepartures, campaignDispatches } from './campaigns.table.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Nothing counts longer. */
const KEPT = tag`interval '25 hours'`

/** Of those who count at once one decides: what two numbers send at the same moment shares the plan's hour. */
export const lockCompany = (tx: Tx) =>
  tx.sql.execute(tag`select pg_advisory_xact_lock(${tx.companyId}::int, hashtext('campaigns'))`)

/** The plan's hour: all numbers of the company together. What is in the outbox at this moment counts as leaving now. */
export async function hourCapOf(tx: Tx, most: number | null, now: number): Promise<Cap> {
  const cap = { reason: 'hour' as const, most, windowMs: HOUR_MS }
  if (!most) return { ...cap, left: [] }
  const [row] = await tx.sql
    .select({ sending: tag<number>`count(*)::int` })
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.status, 'sending'),
        isNotNull(campaignDispatches.whatsappId),
      ),
    )
  const sending = Array.from({ length: row!.sending }, () => now)
  return { ...cap, left: [...(await departures(tx, most, HOUR_MS, null)), ...sending] }
}

/** A young number's day. */
export const dayCapCounted = async (tx: Tx, whatsappId: number, most: number | null): Promise<Cap> => ({
  reason: 'day',
  most,
  windowMs: DAY_MS,
  left: most ? await departures(tx, most, DAY_MS, whatsappId) : [],
})

/** The newest within a time, oldest first; of one number or of all. */
async function departures(
  tx: Tx,
  most: number,
  withinMs: number,
  whatsappId: number | null,
): Promise<number[]> {
  const rows = await tx.sql
    .select({ at: tag<number>`(extract(epoch from ${campaignDepartures.at}) * 1000)::float8` })
    .from(campaignDepartures)
    .where(
      and(
        eq(campaignDepartures.companyId, tx.companyId),
        tag`${campaignDepartures.at} > now() - ${withinMs + 1}::float8 * interval '1 millisecond'`,
        whatsappId === null ? undefined : eq(campaignDepartures.whatsappId, whatsappId),
      ),
    )
    .orderBy(desc(campaignDepartures.at))
    .limit(most)
  return rows.map(({ at }) => at).toReversed()
}

/** Something of a person left now, or was tried. */
export async function noteDeparture(tx: Tx, dispatchId: number, whatsappId: number): Promise<void> {
  await tx.sql.execute(tag`
    insert into campaign_departures (company_id, dispatch_id, whatsapp_id, at)
    values (${tx.companyId}, ${dispatchId}, ${whatsappId}, now())
    on conflict (company_id, dispatch_id) do update set at = excluded.at`)
}

/** What nothing counts any more goes. */
export const forgetDepartures = (tx: Tx) =>
  tx.sql.execute(
    tag`delete from campaign_departures where company_id = ${tx.companyId} and at < now() - ${KEPT}`,
  )
