import type { Campaign } from '@balcao/contract/campaignShapes.ts'
import { together } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { campaignsChanged, campaignTold } from './campaigns.events.ts'
import { findCampaign, lookOrNull, shownDispatch, standing } from './campaigns.queries.ts'

/** Everybody who shows the campaign hears that it is another. Answers it as it stands. */
export async function tellCampaign(
  tx: Tx,
  campaignId: number,
  action: 'create' | 'update' = 'update',
): Promise<Campaign> {
  const campaign = await findCampaign(tx, campaignId)
  tx.emit(campaignTold, { campaignId, told: { action: 'refresh', campaign } })
  tx.emit(campaignsChanged, { action, campaignId })
  return campaign
}

/** Those who look at the campaign hear what became of one of its people, with the counts. */
export async function tellDispatch(tx: Tx, campaignId: number, dispatchId: number): Promise<void> {
  const [campaignDispatch, row] = await together(
    tx.sql,
    () => shownDispatch(tx, dispatchId),
    () => lookOrNull(tx, campaignId),
  )
  if (!campaignDispatch || !row) return
  tx.emit(campaignTold, {
    campaignId,
    told: {
      action: 'update',
      campaignDispatch,
      campaign: { id: row.id, status: row.status, ...standing(row) },
      sentCount: row.sent,
      failCount: row.failed,
    },
  })
}
