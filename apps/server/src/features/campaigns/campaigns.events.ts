import type { campaignChannel, campaignsChannel } from '@balcao/contract/campaigns.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

/** A campaign was made, changed or went; whoever shows the list asks again. */
export const campaignsChanged = event<Push<typeof campaignsChannel>>('campaigns.changed')

/** Something happened in a campaign that somebody may be looking at. */
export const campaignTold = event<{ campaignId: number; told: Push<typeof campaignChannel> }>('campaign.told')

/** A number may have something to send now. */
export const clockSet = event<Record<never, never>>('campaign.clockSet')

/** A webhook waits to be told. */
export const conclusionWritten = event<Record<never, never>>('campaign.callWritten')
