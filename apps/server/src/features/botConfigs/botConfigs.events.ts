import type { botConfigChannel, TrialPush } from '@balcao/contract/botConfigs.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'
import type { DialogEnding } from './botConfigs.table.ts'

export const botConfigChanged = event<Push<typeof botConfigChannel>>('botConfig.changed')

/** A dialog ended by itself; in the commit that ends it, before the ticket moves. */
export const dialogEnded = event<{ ticketId: number; ending: DialogEnding }>('dialog.ended')

/** A dialog is due. */
export const dialogDue = event<object>('dialog.due')

export const trialChanged = event<{ botConfigId: number; push: TrialPush }>('trial.changed')
