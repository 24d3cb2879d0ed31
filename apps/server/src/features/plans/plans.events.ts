import type { Push } from '@balcao/contract/kit.ts'
import type { planChannel } from '@balcao/contract/plans.ts'
import { event } from '../../platform/events.ts'

/** A plan of this company was added, changed or removed. */
export const planChanged = event<Push<typeof planChannel>>('plan.changed')
