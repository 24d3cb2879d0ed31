import type { Contact } from '@balcao/contract/contacts.ts'
import { event } from '../../platform/events.ts'

export const contactChanged = event<{ contact: Contact; created: boolean }>('contact.changed')
export const contactRemoved = event<{ contactId: number; ticketIds: number[] }>('contact.removed')
