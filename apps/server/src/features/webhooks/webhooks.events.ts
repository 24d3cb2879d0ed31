import type { Push } from '@balcao/contract/kit.ts'
import type { webhookChannel } from '@balcao/contract/webhooks.ts'
import { event } from '../../platform/events.ts'

export const webhooksChanged = event<Push<typeof webhookChannel>>('webhooks.changed')

/** Something waits to be delivered. */
export const deliveryWritten = event<Record<never, never>>('webhooks.deliveryWritten')

/** Heard by every process that keeps in mind which companies have webhooks. */
export const SUBSCRIBED_TOPIC = 'webhooks:subscribed'
