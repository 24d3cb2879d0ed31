import { within } from '../../platform/events.ts'
import { contactDeleting } from '../contacts/contacts.events.ts'
import { forgetMergesInto } from './contactMerges.actions.ts'
import { mergeFiles } from './contactMerges.queries.ts'

export const reacts = [
  mergeFiles,
  within(contactDeleting, (tx, { contactId }) => forgetMergesInto(tx, contactId)),
]
