import type { contactMergeChannel } from '@balcao/contract/contactMerges.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

/** Somebody made one contact of two, or two of one again. */
export const contactMergeChanged = event<Push<typeof contactMergeChannel>>('contactMerge.changed')

/**
 * A merge is undone: what moved by it goes back in the same transaction, and what was said since `at` to whom it is from.
 * Both contacts stand by now, found as they were before.
 */
export const contactsParting = event<{ mergeId: number; into: number; from: number; at: string }>(
  'contacts.parting',
)
