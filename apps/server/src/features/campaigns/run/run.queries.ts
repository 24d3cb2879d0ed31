import type { Cap } from '@balcao/contract/campaigns.rules.ts'
import type { Lib } from '@balcao/contract/connections.ts'
import { databaseNow } from '../../../platform/clock.ts'
import type { Sql } from '../../../platform/postgres/db.ts'
import {
  and,
  asc,
  desc,
  eq,
  exists,
  inState,
  isNotNull,
  lte,
  sql as tag,
} from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { outside } from '../../../platform/work/due-rows.ts'
import { campaignSetupConnections } from '../../campaignSetups/campaignSetups.table.ts'
import { zoneOf } from '../../companies/companies.queries.ts'
import { isAtWork } from '../../companies/companies.status.queries.ts'
import { companies } from '../../companies/companies.table.ts'
import { whatsappCloud, whatsapps } from '../../connections/connections.table.ts'
import { isOptedOut } from '../../optOuts/optOuts.queries.ts'
import { momentsOf } from '../../schedules/schedules.queries.ts'
import {
  campaignClocks,
  campaignDepartures,
  campaignDispatches,
  campaignPosts,
  campaigns,
} from '../campaigns.table.ts'
import type { Recipient } from './message.actions.ts'

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

/** Locks the clock of a connection that is due; null when another worker has it or it is not due any more. */
export async function claimClock(tx: Tx, whatsappId: number): Promise<Clock | null> {
  const [row] = await tx.sql
    .select({
      now: milliseconds(tag`now()`),
      freeAt: milliseconds(campaignClocks.freeAt),
      refusals: campaignClocks.refusals,
    })
    .from(campaignClocks)
    .where(and(ownClock(tx, whatsappId), lte(campaignClocks.lookAt, tag`now()`)))
    .for('update', { skipLocked: true })
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
      ...(freeAt !== undefined && { freeAt: instantAt(freeAt) }),
      ...(lookAt !== undefined && { lookAt: lookAt === null ? null : instantAt(lookAt) }),
      ...(refusals !== undefined && { refusals }),
    })
    .where(ownClock(tx, whatsappId))

export const instantAt = (ms: number) => new Date(Math.ceil(ms)).toISOString()

export const ownClock = (tx: Tx, whatsappId: number) =>
  and(eq(campaignClocks.companyId, tx.companyId), eq(campaignClocks.whatsappId, whatsappId))

/** Whether a recipient of any campaign is `sending` over the connection: one at a time. */
export async function isSending(tx: Tx, whatsappId: number): Promise<boolean> {
  const [row] = await tx.sql
    .select({ id: campaignDispatches.id })
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.whatsappId, whatsappId),
        eq(campaignDispatches.status, 'sending'),
      ),
    )
    .limit(1)
  return row !== undefined
}

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

const states = { CONNECTED: 'connected', OPENING: 'opening' } as const

/** What decides whether and how fast a connection sends. */
export const connectionState = async (tx: Tx, whatsappId: number) =>
  (await connectionStateOrNull(tx, whatsappId))!

/** Null for a connection that was deleted meanwhile. */
export async function connectionStateOrNull(tx: Tx, whatsappId: number) {
  const [row] = await tx.sql
    .select({
      name: whatsapps.name,
      lib: whatsapps.lib,
      status: whatsapps.status,
      linkedAt: tag<number>`(extract(epoch from coalesce(${whatsapps.pairedAt}, now())) * 1000)::float8`,
      quality: whatsappCloud.quality,
      restrictedUntil: tag<number>`coalesce(extract(epoch from ${whatsapps.restrictedUntil}) * 1000, 0)::float8`,
    })
    .from(whatsapps)
    .leftJoin(
      whatsappCloud,
      and(eq(whatsappCloud.companyId, whatsapps.companyId), eq(whatsappCloud.whatsappId, whatsapps.id)),
    )
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  if (!row) return null
  const { status, ...connection } = row
  const state = states[status as keyof typeof states] ?? ('away' as const)
  return { id: whatsappId, ...connection, lib: connection.lib as Lib, state }
}

/** Running campaigns of a connection, locked; the one that was served longest ago first. */
export const campaignsOn = (tx: Tx, whatsappId: number) =>
  tx.sql
    .select()
    .from(campaigns)
    .where(
      and(
        eq(campaigns.companyId, tx.companyId),
        eq(campaigns.status, 'start'),
        exists(
          tx.sql
            .select({ one: tag`1` })
            .from(campaignSetupConnections)
            .where(
              and(
                eq(campaignSetupConnections.companyId, campaigns.companyId),
                eq(campaignSetupConnections.setupId, campaigns.setupId),
                eq(campaignSetupConnections.whatsappId, whatsappId),
              ),
            ),
        ),
      ),
    )
    .orderBy(tag`${campaigns.servedAt} nulls first`, asc(campaigns.id))
    .for('update')

/** The next pending recipient, locked; null when there is none. */
export async function nextRecipient(
  tx: Tx,
  campaignId: number,
): Promise<(Recipient & { isOptedOut: boolean }) | null> {
  const [row] = await tx.sql
    .select({
      id: campaignDispatches.id,
      position: campaignDispatches.position,
      name: campaignDispatches.name,
      number: campaignDispatches.number,
      isOptedOut: isOptedOut(tx, tag`${campaignDispatches}.key`),
      values: campaignDispatches.values,
    })
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.campaignId, campaignId),
        eq(campaignDispatches.status, 'pending'),
      ),
    )
    .orderBy(asc(campaignDispatches.position))
    .limit(1)
    .for('update')
  return row ?? null
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

export const insertPosts = (tx: Tx, posts: Omit<typeof campaignPosts.$inferInsert, 'companyId'>[]) =>
  tx.sql.insert(campaignPosts).values(posts.map(post => ({ ...post, companyId: tx.companyId })))

const HOUR_MS = 3_600_000

const DAY_MS = 24 * HOUR_MS

/** Longer than the longest cap. */
const KEPT = tag`interval '25 hours'`

/** Advisory lock: two connections of a company that send at the same moment share the cap of the hour. */
export const lockHourCap = (tx: Tx) =>
  tx.sql.execute(tag`select pg_advisory_xact_lock(${tx.companyId}::int, hashtext('campaigns'))`)

/** The plan's cap of an hour over all connections of the company. What is in the outbox counts as sent now. */
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
