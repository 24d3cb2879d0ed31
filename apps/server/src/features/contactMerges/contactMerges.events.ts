import type { contactMergeChannel } from '@balcao/contract/contactMerges.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

export const contactMergeChanged = event<Push<typeof contactMergeChannel>>('contactMerge.changed')

/**
 * A merge is being undone: owned records go back in the transaction, messages since `at` to the contact who wrote them.
 * Both contacts and their identifiers are restored already.
 */
export const contactsParting = event<{ mergeId: number; into: number; from: number; at: string }>(
  'contacts.parting',
)
