import { mayManageCampaign } from '@balcao/contract/campaigns.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { askCampaigns } from '../campaignSetups/campaignSetups.queries.ts'
import { type CampaignRow, lockCampaignOrNull } from './campaigns.queries.ts'

/** One that the caller may change, locked. Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export async function lockManagedCampaign(tx: Tx, campaignId: number): Promise<CampaignRow> {
  await askCampaigns(tx)
  const campaign =
    (await lockCampaignOrNull(tx, campaignId)) ?? refuse('ERR_NOT_FOUND', { field: 'campaignId' })
  // what a setup's token made, the company itself made
  const may = tx.viewer === null || mayManageCampaign(viewerOf(tx), campaign)
  return may ? campaign : refuse('ERR_NO_PERMISSION')
}
