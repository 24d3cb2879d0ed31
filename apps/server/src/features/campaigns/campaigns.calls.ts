import type { CampaignCall } from '@balcao/contract/campaignSetups.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import type { Sql } from '../../platform/db.ts'
import { idFrom } from '../../platform/ids.ts'
import { onePage } from '../../platform/lists.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, desc, eq, inArray } from '../../platform/sql.ts'
import { claimIn, dueOfEach, settleIn } from '../../platform/webhooks.due.ts'
import { setupOrNull } from '../campaignSetups/campaignSetups.queries.ts'
import { conclusionWritten } from './campaigns.events.ts'
import type { CampaignRow } from './campaigns.queries.ts'
import { campaignCalls, campaignDispatches } from './campaigns.table.ts'

/** Writes down that the address of the setup is told that a campaign is over: once, however often it is finalized. */
export async function callConcluded(tx: Tx, { id: campaignId, setupId }: CampaignRow): Promise<void> {
  const setup = await setupOrNull(tx, setupId)
  if (!setup?.webhookUrlConcluded) return
  await tx.sql
    .insert(campaignCalls)
    .values({
      id: idFrom(`campaign:${tx.companyId}:${campaignId}:concluded`),
      companyId: tx.companyId,
      campaignId,
      setupId: setup.id,
      url: setup.webhookUrlConcluded,
      dueAt: new Date().toISOString(),
    })
    .onConflictDoNothing()
  tx.emit(conclusionWritten, {})
}

/** Calls of all companies whose time has come. */
export const conclusionsDue = (sql: Sql) => dueOfEach(sql, campaignCalls, campaignCalls.setupId)

/** See `claimIn`. */
export const claimConclusion = (tx: Tx, id: string, until: string) => claimIn(tx, campaignCalls, id, until)

/** See `settleIn`. */
export const settleConclusion = (
  tx: Tx,
  id: string,
  values: Partial<typeof campaignCalls.$inferInsert>,
  until?: string,
) => settleIn(tx, campaignCalls, id, values, until)

const shown = {
  id: campaignCalls.id,
  campaignId: campaignCalls.campaignId,
  url: campaignCalls.url,
  state: campaignCalls.state,
  attempts: campaignCalls.attempts,
  dueAt: campaignCalls.dueAt,
  status: campaignCalls.status,
  error: campaignCalls.error,
  createdAt: campaignCalls.createdAt,
  triedAt: campaignCalls.triedAt,
}

/** Null when there is none. */
export async function findConclusion(tx: Tx, id: string): Promise<CampaignCall | null> {
  const [row] = await tx.sql
    .select(shown)
    .from(campaignCalls)
    .where(and(eq(campaignCalls.companyId, tx.companyId), eq(campaignCalls.id, id)))
  return row ?? null
}

/** One page of a campaign's calls, the newest first. */
export async function listConclusions(tx: Tx, campaignId: number, asked: PageQuery) {
  const found = tx.sql
    .select(shown)
    .from(campaignCalls)
    .where(and(eq(campaignCalls.companyId, tx.companyId), eq(campaignCalls.campaignId, campaignId)))
    .orderBy(desc(campaignCalls.createdAt), desc(campaignCalls.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { calls: rows, hasMore }
}

/** What became of everybody who was written to, as the documents write it. */
export const outcomes = (tx: Tx, campaignId: number) =>
  tx.sql
    .select({
      number: campaignDispatches.number,
      name: campaignDispatches.name,
      status: campaignDispatches.status,
    })
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.campaignId, campaignId),
        inArray(campaignDispatches.status, ['sent', 'sentFail']),
      ),
    )
    .orderBy(asc(campaignDispatches.position), asc(campaignDispatches.id))
