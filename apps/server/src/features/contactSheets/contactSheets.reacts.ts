import { within } from '../../platform/events.ts'
import { contactDeleting } from '../contacts/contacts.events.ts'
import { forgetInSheets } from './contactSheets.queries.ts'

export const reacts = [within(contactDeleting, forgetInSheets)]
