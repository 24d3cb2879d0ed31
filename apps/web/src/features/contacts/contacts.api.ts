import { type Contact, type ContactInput, contacts } from '@balcao/contract/contacts.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { CONTACTS } from './contacts.live.ts'

export const contactList = pagedList(contacts.list, 'contacts')

export const oneContact = oneRow('contacts', contactId => call(contacts.show, { params: { contactId } }))

type Fields = Partial<z.input<typeof ContactInput>> & { name: string }

/** Documented delay before a contact form is sent: a second press within it counts as the same. */
const SUBMIT_MS = 400

/** Adds a contact, or changes one, and gives and takes the categories that its user did. Throws ApiError. */
export async function saveContact(
  contact: Contact | null,
  fields: Fields,
  categories: { before: number[]; after: number[] },
  seen?: Seen,
): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, SUBMIT_MS))
  const saved = contact
    ? await call(contacts.change, { params: { contactId: contact.id }, body: fields, seen })
    : await call(contacts.create, { body: fields as z.input<typeof ContactInput> })
  const { before, after } = categories
  const given = after.filter(id => !before.includes(id))
  const taken = before.filter(id => !after.includes(id))
  const now = saved.categoryContacts.map(({ id }) => id)
  // what others gave or took meanwhile stays
  const categoryContacts = [...new Set([...now, ...given])].filter(id => !taken.includes(id))
  if (given.length + taken.length > 0)
    await call(contacts.categorize, { body: { contactId: saved.id, categoryContacts } })
  await askAgain({ queryKey: CONTACTS })
}

/** With its conversations. Throws ApiError. */
export async function removeContact(contactId: number): Promise<void> {
  await call(contacts.remove, { params: { contactId } })
  await askAgain({ queryKey: CONTACTS })
}

/** All personal data of a contact, as an archive. Throws ApiError. */
export const personOf = (contactId: number) => call(contacts.data, { params: { contactId } })
