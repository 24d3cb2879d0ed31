import type { closingReasonChannel } from '@balcao/contract/closingReasons.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

export const closingReasonChanged = event<Push<typeof closingReasonChannel>>('closingReason.changed')
