import type { Push } from '@balcao/contract/kit.ts'
import type { webhookChannel } from '@balcao/contract/webhooks.ts'
import { event } from '../../platform/events.ts'

export const webhooksChanged = event<Push<typeof webhookChannel>>('webhooks.changed')

/** A delivery is due. */
export const deliveryWritten = event<Record<never, never>>('webhooks.deliveryWritten')

/** Signals every process, which caches who has webhooks. */
export const SUBSCRIBED_TOPIC = 'webhooks:subscribed'
