import { within } from '../../platform/events.ts'
import { contactLeaving } from '../contacts/contacts.events.ts'
import { forgetMergesInto } from './contactMerges.actions.ts'

export const reacts = [within(contactLeaving, (tx, { contactId }) => forgetMergesInto(tx, contactId))]
