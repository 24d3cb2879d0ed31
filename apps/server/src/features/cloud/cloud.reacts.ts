import { within } from '../../platform/events.ts'
import { contactDeleting, contactExported } from '../contacts/contacts.events.ts'
import { bookOf, deleteFromBook } from './cloud.book.queries.ts'
import { deletePostsOf } from './cloud.queries.ts'

export const reacts = [
  within(contactDeleting, async (tx, { addresses, keys }) => {
    await deletePostsOf(tx, addresses)
    await deleteFromBook(tx, [...addresses, ...keys])
  }),
  within(contactExported, async (tx, { addresses, keys, data }) => {
    data.addressBook = await bookOf(tx, [...addresses, ...keys])
  }),
]
