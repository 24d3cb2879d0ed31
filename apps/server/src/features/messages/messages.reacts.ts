import { within } from '../../platform/events.ts'
import { fileAsked, filesAsked, removeFiles } from '../../platform/files/served.ts'
import { connectionEmptying, connectionRestricted } from '../connections/connections.events.ts'
import { removeUnreadKinds } from '../connections/connections.keys.queries.ts'
import { contactsParting } from '../contactMerges/contactMerges.events.ts'
import {
  contactCorrected,
  contactDeleting,
  contactExported,
  contactsMerging,
} from '../contacts/contacts.events.ts'
import { ticketMoved, ticketsLeaving } from '../tickets/tickets.events.ts'
import { addMessages } from './history/history.export.ts'
import { deleteInboundEvents, unreadKindsOf } from './history/history.queries.ts'
import { moveMessages, partMessages } from './history/merge.actions.ts'
import { lineAboutMessage } from './messages.events.ts'
import { refuseOperationsOf } from './operations/operations.actions.ts'
import { receivePin } from './operations/pins.actions.ts'
import { greetOrPart } from './outbox/greetings.actions.ts'
import { moveHeld } from './outbox/held.queries.ts'
import { failWaiting } from './outbox/receipts.actions.ts'
import { mayReadFile } from './thread/files.actions.ts'
import { filesOfTickets, messageFiles, sharedFiles } from './thread/files.queries.ts'

export const reacts = [
  ...messageFiles,

  within(contactDeleting, async (tx, { addresses }) => void (await deleteInboundEvents(tx, addresses))),
  within(contactCorrected, (tx, { contactId }) => refuseOperationsOf(tx, contactId)),
  within(contactExported, addMessages),
  within(contactsMerging, moveMessages),
  within(contactsParting, partMessages),
  within(connectionEmptying, async (tx, { whatsappId, most, taken }) => {
    taken.rows += await failWaiting(tx, whatsappId, 'ERR_NO_WAPP_FOUND', most)
  }),
  within(
    connectionRestricted,
    async (tx, { whatsappId, until }) => void (await moveHeld(tx, whatsappId, until)),
  ),
  within(ticketsLeaving, async (tx, { ticketIds }) => {
    await removeFiles(tx, await filesOfTickets(tx, ticketIds))
    await removeUnreadKinds(tx, await unreadKindsOf(tx, ticketIds))
  }),
  within(fileAsked, async (tx, asked) => {
    if (!(await mayReadFile(tx, asked.address))) asked.isRefused = true
  }),
  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await sharedFiles(tx, addresses)) named.add(address)
  }),
  within(lineAboutMessage, receivePin),
  within(ticketMoved, (tx, { ticket, before }) => greetOrPart(tx, ticket, before)),
]
