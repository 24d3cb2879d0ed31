import { within } from '../../platform/events.ts'
import { categoryMerging } from '../categories/categories.events.ts'
import { belongingsAsked, userDeleting } from '../users/users.events.ts'
import { moveCategory } from './contacts.categories.queries.ts'
import { contactsMerging } from './contacts.events.ts'
import { bequeathCustomers, emitOwnersOf } from './contacts.owners.actions.ts'
import { customersOf } from './contacts.owners.queries.ts'
import { contactFiles } from './contacts.queries.ts'

export const reacts = [
  contactFiles,

  within(contactsMerging, (tx, { from, into }) => emitOwnersOf(tx, [from, into])),
  within(userDeleting, (tx, { userId, heirId }) => bequeathCustomers(tx, userId, heirId)),
  within(belongingsAsked, async (tx, { userId, found }) => {
    found.push({ kind: 'contacts', ...(await customersOf(tx, userId)) })
  }),
  within(categoryMerging, (tx, { categoryId, into }) => moveCategory(tx, categoryId, into)),
]
