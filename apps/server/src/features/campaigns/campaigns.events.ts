import type { Campaign } from '@balcao/contract/campaignShapes.ts'
import type { campaignChannel, campaignsChannel } from '@balcao/contract/campaigns.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'
import type { Tx } from '../../platform/scope.ts'
import { findCampaign } from './campaigns.queries.ts'

export const campaignsChanged = event<Push<typeof campaignsChannel>>('campaigns.changed')

/** The progress of a campaign, for those who have it open. */
export const campaignProgressed = event<{ campaignId: number; push: Push<typeof campaignChannel> }>(
  'campaign.told',
)

/** A connection may have something to send now. */
export const clockSet = event<Record<never, never>>('campaign.clockSet')

/** A webhook call is due. */
export const conclusionWritten = event<Record<never, never>>('campaign.callWritten')

/** Publishes a changed campaign. Returns it. */
export async function publishCampaign(
  tx: Tx,
  campaignId: number,
  action: 'create' | 'update' = 'update',
): Promise<Campaign> {
  const campaign = await findCampaign(tx, campaignId)
  tx.emit(campaignProgressed, { campaignId, push: { action: 'refresh', campaign: withoutToken(campaign) } })
  tx.emit(campaignsChanged, { action, campaignId })
  return campaign
}

/** The room includes users who may not know the id of the setup, which is a token. */
const withoutToken = ({ campaignSetup, ...campaign }: Campaign): Campaign => ({
  ...campaign,
  campaignSetupId: campaignSetup?.handle ?? null,
  campaignSetup: campaignSetup && { ...campaignSetup, id: campaignSetup.handle },
})
