import { within } from '../../platform/events.ts'
import { contactDeleting } from '../contacts/contacts.events.ts'
import { deletePostsOf } from './cloud.queries.ts'

export const reacts = [within(contactDeleting, (tx, { addresses }) => deletePostsOf(tx, addresses))]
