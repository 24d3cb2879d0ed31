import type { Contact } from '@balcao/contract/contacts.ts'
import { event } from '../../platform/events.ts'

export const contactChanged = event<{ contact: Contact; created: boolean }>('contact.changed')
export const contactRemoved = event<{ contactId: number }>('contact.removed')

/** A contact is about to be removed; what hangs on it goes in the same transaction. */
export const contactLeaving = event<{ contactId: number }>('contact.leaving')

/**
 * Two contacts become one: what hangs on the first hangs on the second from now on, in the same transaction. By hand it
 * has the id under which undoing it asks for what moved; null when WhatsApp said that they are one person.
 */
export const contactsMerging = event<{ from: number; into: number; mergeId: number | null }>(
  'contacts.merging',
)
