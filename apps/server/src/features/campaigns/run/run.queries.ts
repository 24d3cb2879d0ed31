import type { Cap } from '@balcao/contract/campaigns.rules.ts'
import type { Lib } from '@balcao/contract/connections.ts'
import { databaseNow } from '../../../platform/clock.ts'
import type { Sql } from '../../../platform/postgres/db.ts'
import { given, insertingAll, prepared, preparedText } from '../../../platform/postgres/prepared.ts'
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inState,
  isNotNull,
  lte,
  sql as tag,
} from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { outside } from '../../../platform/work/due-rows.ts'
import { zoneOf } from '../../companies/companies.queries.ts'
import { isAtWork } from '../../companies/companies.status.queries.ts'
import { companies } from '../../companies/companies.table.ts'
import { whatsappCloud, whatsapps } from '../../connections/connections.table.ts'
import { isOptedOut } from '../../optOuts/optOuts.queries.ts'
import { momentsOf } from '../../schedules/schedules.queries.ts'
import type { DispatchRow } from '../campaigns.queries.ts'
import {
  campaignClocks,
  campaignDepartures,
  campaignDispatches,
  campaignPosts,
  campaigns,
} from '../campaigns.table.ts'

/** Planned campaigns of all companies that are due. */
export const plannedCampaigns = (sql: Sql, most: number, passed: number[] = []) =>
  sql
    .select({ companyId: campaigns.companyId, id: campaigns.id })
    .from(campaigns)
    .where(
      and(
        inState(campaigns.status, 'scheduled'),
        lte(campaigns.schedule, tag`now()`),
        isAtWork(campaigns.companyId),
        outside(campaigns.companyId, passed),
      ),
    )
    .orderBy(asc(campaigns.schedule))
    .limit(most)

/** Connections of all companies that are due, the longest due first. */
export const clocksDue = (sql: Sql, most: number, passed: number[] = []) =>
  sql
    .select({ companyId: campaignClocks.companyId, whatsappId: campaignClocks.whatsappId })
    .from(campaignClocks)
    .where(
      and(
        lte(campaignClocks.lookAt, tag`now()`),
        isAtWork(campaignClocks.companyId),
        outside(campaignClocks.companyId, passed),
      ),
    )
    .orderBy(asc(campaignClocks.lookAt))
    .limit(most)

export interface Clock {
  /** Milliseconds, by the database's clock. */
  now: number
  freeAt: number
  refusals: number
}

export const milliseconds = (at: typeof campaignClocks.freeAt | ReturnType<typeof tag>) =>
  tag<number>`(extract(epoch from ${at}) * 1000)::float8`

/** A connection whose clock is due, with what decides whether and how fast it sends. */
export type DueConnection = Awaited<ReturnType<typeof claimLines>>[number]

/**
 * Locks the clocks of connections that are due, the longest due first, without those that another worker has. `isSending`: those
 * over which a recipient of any campaign is `sending`, else those of which none is: one at a time. Of the latter the campaigns
 * are locked after them; an outcome locks the campaign first, but no clock of theirs.
 */
export const claimLines = prepared(sql =>
  sql
    .select({
      ...connectionColumns,
      now: milliseconds(tag`now()`),
      freeAt: milliseconds(campaignClocks.freeAt),
    })
    .from(campaignClocks)
    .innerJoin(
      whatsapps,
      and(eq(whatsapps.companyId, campaignClocks.companyId), eq(whatsapps.id, campaignClocks.whatsappId)),
    )
    .leftJoin(
      whatsappCloud,
      and(eq(whatsappCloud.companyId, whatsapps.companyId), eq(whatsappCloud.whatsappId, whatsapps.id)),
    )
    .where(
      and(
        eq(campaignClocks.companyId, given('companyId')),
        tag`${campaignClocks.whatsappId} = any(${given('whatsappIds')}::int[])`,
        lte(campaignClocks.lookAt, tag`now()`),
        tag`((select 1 from campaign_dispatches d where d.company_id = ${campaignClocks.companyId}
          and d.whatsapp_id = ${campaignClocks.whatsappId} and d.status = 'sending' limit 1) is not null) = ${given('isSending')}::bool`,
      ),
    )
    .orderBy(asc(campaignClocks.lookAt), asc(campaignClocks.whatsappId))
    .for('update', { of: campaignClocks, skipLocked: true }),
)

const connectionColumns = {
  id: whatsapps.id,
  name: whatsapps.name,
  lib: tag<Lib>`${whatsapps.lib}`,
  state: tag<'connected' | 'opening' | 'away'>`case ${whatsapps.status} when 'CONNECTED' then 'connected'
    when 'OPENING' then 'opening' else 'away' end`,
  linkedAt: tag<number>`(extract(epoch from coalesce(${whatsapps.pairedAt}, now())) * 1000)::float8`,
  quality: whatsappCloud.quality,
  restrictedUntil: tag<number>`coalesce(extract(epoch from ${whatsapps.restrictedUntil}) * 1000, 0)::float8`,
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
      ...(freeAt !== undefined && { freeAt: instantAt(freeAt) }),
      ...(lookAt !== undefined && { lookAt: lookAt === null ? null : instantAt(lookAt) }),
      ...(refusals !== undefined && { refusals }),
    })
    .where(ownClock(tx, whatsappId))

export const instantAt = (ms: number) => new Date(Math.ceil(ms)).toISOString()

export const ownClock = (tx: Tx, whatsappId: number) =>
  and(eq(campaignClocks.companyId, tx.companyId), eq(campaignClocks.whatsappId, whatsappId))

/** Sets the clocks of connections that the caller claimed; `freeAt` null stays as it is, `lookAt` null: there is nothing to send. */
export const setClocks = (
  tx: Tx,
  clocks: { whatsappId: number; freeAt: number | null; lookAt: number | null }[],
) =>
  clockRows(tx.sql, {
    companyId: tx.companyId,
    whatsappIds: clocks.map(({ whatsappId }) => whatsappId),
    free: clocks.map(({ freeAt }) => (freeAt === null ? null : instantAt(freeAt))),
    looks: clocks.map(({ lookAt }) => (lookAt === null ? null : instantAt(lookAt))),
  })

const clockRows = preparedText(
  () => tag`update campaign_clocks k set free_at = coalesce(n.free_at, k.free_at), look_at = n.look_at
    from unnest(${given('whatsappIds')}::int[], ${given('free')}::timestamptz[], ${given('looks')}::timestamptz[])
      as n (whatsapp_id, free_at, look_at)
    where k.company_id = ${given('companyId')} and k.whatsapp_id = n.whatsapp_id`,
)

/** Recipients that are `sending` over the connection though none of their messages is in the outbox, locked. */
export const lockLost = (tx: Tx, whatsappId: number) =>
  tx.sql
    .select()
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.whatsappId, whatsappId),
        eq(campaignDispatches.status, 'sending'),
        tag`not exists (select from campaign_posts p join messages m on m.company_id = p.company_id and m.id = p.message_id
          where p.company_id = ${campaignDispatches.companyId} and p.dispatch_id = ${campaignDispatches.id}
            and m.waits)`,
      ),
    )
    .for('update')

/** What decides whether and how fast a connection sends. */
export async function connectionState(tx: Tx, whatsappId: number) {
  const [row] = await tx.sql
    .select(connectionColumns)
    .from(whatsapps)
    .leftJoin(
      whatsappCloud,
      and(eq(whatsappCloud.companyId, whatsapps.companyId), eq(whatsappCloud.whatsappId, whatsapps.id)),
    )
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  return row!
}

/** Running campaigns of connections with these, and who signs them; locked in one order. */
export const campaignsOn = (tx: Tx, whatsappIds: number[]) =>
  runningOn(tx.sql, { companyId: tx.companyId, whatsappIds })

const runningOn = prepared(sql =>
  sql
    .select({
      ...getTableColumns(campaigns),
      lines: tag<number[]>`lines.ids`,
      signer: tag<string>`coalesce((select u.name from users u where u.company_id = ${campaigns.companyId}
        and u.id = ${campaigns.userId}), '')`,
    })
    .from(campaigns)
    .innerJoin(
      tag`lateral (select array_agg(c.whatsapp_id) as ids from campaign_setup_connections c
        where c.company_id = ${campaigns.companyId} and c.setup_id = ${campaigns.setupId}
          and c.whatsapp_id = any(${given('whatsappIds')}::int[])) lines`,
      tag`lines.ids is not null`,
    )
    .where(and(eq(campaigns.companyId, given('companyId')), eq(campaigns.status, 'start')))
    .orderBy(asc(campaigns.id))
    .for('update', { of: campaigns }),
)

export type NextRecipient = DispatchRow & { isOptedOut: boolean }

/** The first pending recipients of campaigns behind the `after` of each, in their order, locked. */
export async function nextRecipients(
  tx: Tx,
  asked: { campaignId: number; after: { position: number; id: number } | null; most: number }[],
): Promise<Map<number, NextRecipient[]>> {
  const ints = (values: number[]) => tag`${`{${values}}`}::int[]`
  const rows = await tx.sql
    .select({ person: campaignDispatches, isOptedOut: isOptedOut(tx, tag`${campaignDispatches}.key`) })
    .from(
      tag`unnest(${ints(asked.map(({ campaignId }) => campaignId))}, ${ints(asked.map(({ after }) => after?.position ?? -1))},
        ${ints(asked.map(({ after }) => after?.id ?? 0))}, ${ints(asked.map(({ most }) => most))}) as c (id, position, person, most)
        cross join lateral (select n.id from campaign_dispatches n where n.company_id = ${tx.companyId} and n.campaign_id = c.id
          and n.status = 'pending' and n.position >= c.position and (n.position, n.id) > (c.position, c.person)
          order by n.position, n.id limit c.most) next`,
    )
    .innerJoin(
      campaignDispatches,
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        tag`${campaignDispatches.id} = next.id`,
        eq(campaignDispatches.status, 'pending'),
      ),
    )
    .orderBy(asc(campaignDispatches.campaignId), asc(campaignDispatches.position), asc(campaignDispatches.id))
    .for('update', { of: campaignDispatches })
  const people = rows.map(({ person, isOptedOut: isOut }) => ({ ...person, isOptedOut: isOut }))
  return Map.groupBy(people, ({ campaignId }) => campaignId)
}

/** The company's local time, `YYYY-MM-DDTHH:mm`; `inMs` returns how many ms are left until a later one. */
export async function companyClock(tx: Tx) {
  const [row] = await tx.sql
    .select({ shown: tag<string>`to_char(now() at time zone ${zoneOf(tx)}, 'YYYY-MM-DD"T"HH24:MI')` })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  const inMs = async (shown: string) => {
    const [moment] = await momentsOf(tx, [shown])
    return Math.max(0, Date.parse(moment!) - databaseNow())
  }
  return { shown: row!.shown, inMs }
}

export const insertPosts = insertingAll(campaignPosts)

const HOUR_MS = 3_600_000

const DAY_MS = 24 * HOUR_MS

/** Longer than the longest cap. */
const KEPT = tag`interval '25 hours'`

/**
 * The plan's cap of an hour over all connections of the company. What is in the outbox counts as sent now. `isShared`: by an
 * advisory lock, connections that send at the same moment share it.
 */
export async function hourCapOf(
  tx: Tx,
  most: number | null,
  now: number,
  { isShared }: { isShared: boolean },
): Promise<Cap> {
  const cap = { reason: 'hour' as const, most, windowMs: HOUR_MS }
  if (!most) return { ...cap, left: [] }
  if (isShared)
    await tx.sql.execute(tag`select pg_advisory_xact_lock(${tx.companyId}::int, hashtext('campaigns'))`)
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

/** The cap of a day of a connection that was linked recently. */
export const dayCapCounted = async (tx: Tx, whatsappId: number, most: number | null): Promise<Cap> => ({
  reason: 'day',
  most,
  windowMs: DAY_MS,
  left: most ? await departures(tx, most, DAY_MS, whatsappId) : [],
})

/** Times of the newest departures within `withinMs`, oldest first; of one connection or of all. */
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

/** Deletes what no cap counts any more, of all companies. */
export const forgetDepartures = (sql: Sql) =>
  sql.execute(tag`delete from campaign_departures where at < now() - ${KEPT}`)
