import type { Push } from '@balcao/contract/kit.ts'
import type { pauseReasonChannel } from '@balcao/contract/pauseReasons.ts'
import { event } from '../../platform/events.ts'

export const pauseReasonChanged = event<Push<typeof pauseReasonChannel>>('pauseReason.changed')
