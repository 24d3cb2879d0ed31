import { within } from '../../platform/events.ts'
import { filesAsked } from '../../platform/files.served.ts'
import { setupLeaving, setupMoved } from '../campaignSetups/campaignSetups.events.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { contactLeaving, contactsMerging } from '../contacts/contacts.events.ts'
import { customerWrote, messageSettled } from '../messages/messages.events.ts'
import { contactOptedOut } from '../optOuts/optOuts.events.ts'
import { userLeaving } from '../users/users.events.ts'
import { disownCampaigns, followSetup, letSetupGo, loseConnection, moveContact } from './campaigns.around.ts'
import { hearAnswer, hearOptOut, settlePost } from './campaigns.outcome.ts'
import { filesInCampaigns } from './campaigns.queries.ts'

export const reacts = [
  within(messageSettled, (tx, { message }) => settlePost(tx, message)),
  within(customerWrote, (tx, { ticket }) => hearAnswer(tx, ticket)),
  within(contactOptedOut, (tx, { contactId, whatsappId }) => hearOptOut(tx, contactId, whatsappId)),
  within(setupMoved, (tx, { setupId }) => followSetup(tx, setupId)),
  within(setupLeaving, (tx, { setupId }) => letSetupGo(tx, setupId)),
  within(connectionLeaving, (tx, { whatsappId }) => loseConnection(tx, whatsappId)),
  within(contactLeaving, (tx, { contactId }) => moveContact(tx, contactId, null)),
  within(contactsMerging, (tx, { from, into }) => moveContact(tx, from, into)),
  within(userLeaving, (tx, { userId }) => disownCampaigns(tx, userId)),
  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await filesInCampaigns(tx, addresses)) named.add(address)
  }),
]
