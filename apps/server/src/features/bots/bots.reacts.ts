import { within } from '../../platform/events.ts'
import { filesAsked } from '../../platform/files.served.ts'
import { dialogEnded } from '../botConfigs/botConfigs.events.ts'
import { categoryMerging } from '../categories/categories.events.ts'
import { companyWrote, customerWrote } from '../messages/messages.events.ts'
import { tagMerging } from '../tags/tags.events.ts'
import { ticketPlaced } from '../tickets/tickets.events.ts'
import { userLeaving } from '../users/users.events.ts'
import { filesInUse, replaceCategory, replaceTag } from './bots.commands.ts'
import { disownBots } from './bots.queries.ts'
import { answerCustomer, followMove, stepBack, takeOverFrom } from './bots.turns.ts'

export const reacts = [
  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await filesInUse(tx, addresses)) named.add(address)
  }),
  within(tagMerging, (tx, { tagId, into }) => replaceTag(tx, tagId, into)),
  within(categoryMerging, (tx, { categoryId, into }) => replaceCategory(tx, categoryId, into)),
  within(userLeaving, (tx, { userId }) => disownBots(tx, userId)),
  within(customerWrote, answerCustomer),
  within(companyWrote, (tx, { message }) => stepBack(tx, message.ticketId)),
  within(dialogEnded, (tx, { ticketId }) => takeOverFrom(tx, ticketId)),
  within(ticketPlaced, (tx, { ticket, before }) => followMove(tx, ticket, before)),
]
