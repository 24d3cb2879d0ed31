import type { campaignSetupChannel } from '@balcao/contract/campaignSetups.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

export const setupChanged = event<Push<typeof campaignSetupChannel>>('campaignSetup.changed')

/** In the transaction that changes a setup, for campaigns that run with it. */
export const setupMoved = event<{ setupId: string }>('campaignSetup.moved')

/** In the transaction that deletes a setup: a listener that needs it refuses. */
export const setupLeaving = event<{ setupId: string }>('campaignSetup.leaving')

/** A setup got another id, in the transaction in which the old one ends: what names it names the new one. */
export const setupRenewed = event<{ from: string; to: string }>('campaignSetup.renewed')
