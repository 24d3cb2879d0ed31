import type { Lib } from '@balcao/contract/connections.ts'
import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, eq, exists, inArray, lte, sql as tag } from '../../platform/sql.ts'
import { campaignSetupConnections } from '../campaignSetups/campaignSetups.table.ts'
import { startOf, zoneOf } from '../companies/companies.queries.ts'
import { isAtWork } from '../companies/companies.standing.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsappCloud, whatsapps } from '../connections/connections.table.ts'
import { isOptedOut } from '../optOuts/optOuts.queries.ts'
import { isoOf, momentsOf } from '../schedules/schedules.times.ts'
import type { Recipient } from './campaigns.speak.ts'
import { campaignDispatches, campaigns } from './campaigns.table.ts'

/** Campaigns of all companies whose time has come. */
export const plannedCampaigns = (sql: Sql, most: number) =>
  sql
    .select({ companyId: campaigns.companyId, id: campaigns.id })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.status, 'scheduled'),
        lte(campaigns.schedule, tag`now()`),
        isAtWork(campaigns.companyId),
      ),
    )
    .orderBy(asc(campaigns.schedule))
    .limit(most)

/** Whether a person of any campaign is under way over the number: one at a time. */
export async function someoneUnderWay(tx: Tx, whatsappId: number): Promise<boolean> {
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

const states = { CONNECTED: 'connected', OPENING: 'opening' } as const

/** How a number stands. */
export async function lineOf(tx: Tx, whatsappId: number) {
  const [row] = await tx.sql
    .select({
      name: whatsapps.name,
      lib: whatsapps.lib,
      status: whatsapps.status,
      linkedAt: tag<number>`(extract(epoch from ${whatsapps.createdAt}) * 1000)::float8`,
      quality: whatsappCloud.quality,
    })
    .from(whatsapps)
    .leftJoin(
      whatsappCloud,
      and(eq(whatsappCloud.companyId, whatsapps.companyId), eq(whatsappCloud.whatsappId, whatsapps.id)),
    )
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  const { status, ...line } = row!
  const state = states[status as keyof typeof states] ?? ('away' as const)
  return { id: whatsappId, ...line, lib: line.lib as Lib, state }
}

/** Campaigns that run over a number, locked; who waited longest for a turn first. */
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

/** Who is next in a campaign, locked; null when nobody waits. */
export async function nextPerson(
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

/** What the company's clock shows, `YYYY-MM-DDTHH:mm`, and how far away it is from showing something else. */
export async function companyClock(tx: Tx) {
  const [row] = await tx.sql
    .select({ shown: tag<string>`to_char(now() at time zone ${zoneOf(tx)}, 'YYYY-MM-DD"T"HH24:MI')` })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  const inMs = async (shown: string) => {
    const [moment] = await momentsOf(tx, [shown])
    return Math.max(0, Date.parse(moment!) - Date.now())
  }
  return { shown: row!.shown, inMs }
}

/** A moment that a form says, in UTC, and whether it is out of reach. */
export async function plannedAt(tx: Tx, moment: string, aheadMonths: number) {
  const at = startOf(tx, moment)
  const [row] = await tx.sql
    .select({
      at: isoOf(at),
      isPast: tag<boolean>`${at} < now() - interval '1 minute'`,
      isFar: tag<boolean>`${at} > now() + ${aheadMonths}::int * interval '1 month' + interval '1 day'`,
    })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!
}

/** Campaigns that a setup's change concerns. */
export const runningWith = (tx: Tx, setupId: string) =>
  tx.sql
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.companyId, tx.companyId),
        eq(campaigns.setupId, setupId),
        inArray(campaigns.status, ['start']),
      ),
    )
