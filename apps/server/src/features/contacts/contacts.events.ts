import type { Contact } from '@balcao/contract/contacts.ts'
import { event } from '../../platform/events.ts'

export const contactChanged = event<{ contact: Contact; created: boolean }>('contact.changed')
/** Contacts have another owner: users who see only own customers see others than before. */
export const ownersChanged = event<{ userIds: number[] }>('contact.owners')
export const contactRemoved = event<{ contactId: number }>('contact.removed')

/** The number was corrected: earlier messages were exchanged with somebody else. Inside the transaction. */
export const contactCorrected = event<{ contactId: number }>('contact.corrected')

export interface Traces {
  keys: string[]
  /** Numbers in all spellings, LIDs, Cloud user ids. */
  addresses: string[]
}

/** A contact is being deleted: every feature deletes or anonymises its personal data in the transaction (docs/personal-data.md). */
export const contactDeleting = event<{ contactId: number } & Traces>('contact.leaving')

/** Personal data of a contact is exported: every feature adds its part to `data`, and addresses of files to `files`. */
export const contactExported = event<
  { contactId: number; data: Record<string, unknown>; files: Set<string> } & Traces
>('contact.told')

/**
 * A contact is merged into another: owned records move in the transaction. `mergeId`: what moved is recorded under it, to
 * be undone; null when WhatsApp reports that both are one person.
 */
export const contactsMerging = event<{ from: number; into: number; mergeId: number | null }>(
  'contacts.merging',
)
