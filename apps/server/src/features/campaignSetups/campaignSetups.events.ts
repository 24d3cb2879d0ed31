import type { campaignSetupChannel } from '@balcao/contract/campaignSetups.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

export const setupChanged = event<Push<typeof campaignSetupChannel>>('campaignSetup.changed')

/** Asked inside the transaction that changes a setup: what runs with it follows. */
export const setupMoved = event<{ setupId: string }>('campaignSetup.moved')

/** Asked inside the transaction that removes a setup: who needs it refuses, who named it lets go. */
export const setupLeaving = event<{ setupId: string }>('campaignSetup.leaving')
