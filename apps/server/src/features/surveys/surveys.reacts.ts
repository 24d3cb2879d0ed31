import { within } from '../../platform/events.ts'
import { contactsParting } from '../contactMerges/contactMerges.events.ts'
import { contactExported, contactsMerging } from '../contacts/contacts.events.ts'
import { afterwordArrived } from '../messages/messages.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { ticketMoved, ticketPlaced } from '../tickets/tickets.events.ts'
import { receiveSurveyAnswer } from './surveys.answers.actions.ts'
import { moveSurveys, partSurveys, surveysOf } from './surveys.answers.queries.ts'
import { planAfterClosing } from './surveys.ask.actions.ts'
import { takeQueueFromSettings } from './surveys.queries.ts'

export const reacts = [
  within(afterwordArrived, receiveSurveyAnswer),
  // of a user: not where tickets are resolved in silence, as many at once or spam
  within(ticketMoved, (tx, { ticket, before }) => planAfterClosing(tx, ticket, before)),
  within(ticketPlaced, async (tx, { ticket, before, what }) => {
    if (!tx.viewer && what === 'resolved') await planAfterClosing(tx, ticket, before)
  }),
  within(contactsMerging, (tx, { from, into }) => moveSurveys(tx, from, into)),
  within(contactsParting, (tx, { from, into }) => partSurveys(tx, from, into)),
  within(contactExported, async (tx, { contactId, data }) => {
    data.surveys = await surveysOf(tx, contactId)
  }),
  within(queueLeaving, async (tx, { queueId }) => {
    await takeQueueFromSettings(tx, queueId)
  }),
]
