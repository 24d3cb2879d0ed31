import type { Contact } from '@balcao/contract/contacts.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { categoryChanged } from '../categories/categories.events.ts'
import { knownCategories, theseCategories } from '../categories/categories.queries.ts'
import { deleteCategoriesOf, deleteOtherCategories, insertCategories } from './contacts.categories.queries.ts'
import { contactChanged } from './contacts.events.ts'
import { findCustomer } from './contacts.owners.queries.ts'
import { findContact } from './contacts.queries.ts'

/** Gives a contact exactly these categories. Refuses with ERR_NO_CONTACT_FOUND, ERR_NOT_FOUND. */
export const categorize = (scope: Scope, contactId: number, categoryIds: number[]): Promise<Contact> =>
  scope.transaction(async tx => {
    await findCustomer(tx, contactId)
    const wanted = [...new Set(categoryIds)]
    if ((await knownCategories(tx, wanted)).length < wanted.length)
      return refuse('ERR_NOT_FOUND', { field: 'categoryContacts' })
    const removed = await deleteOtherCategories(tx, contactId, wanted)
    const added = await insertCategories(tx, contactId, wanted)
    const contact = await findCustomer(tx, contactId)
    tx.emit(contactChanged, { contact, created: false })
    await publishCounts(tx, [...removed, ...added])
    return contact
  })

export async function addCategories(tx: Tx, contactId: number, categoryIds: number[]): Promise<void> {
  const added = await insertCategories(tx, contactId, await knownCategories(tx, categoryIds))
  tx.emit(contactChanged, { contact: await findContact(tx, contactId), created: false })
  await publishCounts(tx, added)
}

export const removeCategoriesOf = async (tx: Tx, contactId: number): Promise<void> =>
  publishCounts(tx, await deleteCategoriesOf(tx, contactId))

async function publishCounts(tx: Tx, categoryIds: number[]) {
  for (const category of await theseCategories(tx, categoryIds))
    tx.emit(categoryChanged, { action: 'update', categoryContact: category })
}
