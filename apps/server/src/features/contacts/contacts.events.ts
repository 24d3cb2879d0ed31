import type { Contact } from '@balcao/contract/contacts.ts'
import { event } from '../../platform/events.ts'

export const contactChanged = event<{ contact: Contact; created: boolean }>('contact.changed')
export const contactRemoved = event<{ contactId: number }>('contact.removed')

/** A contact is about to be removed; what hangs on it goes in the same transaction. */
export const contactLeaving = event<{ contactId: number }>('contact.leaving')
