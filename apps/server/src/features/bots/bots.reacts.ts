import { within, withinAsking } from '../../platform/events.ts'
import { filesAsked } from '../../platform/files/served.ts'
import { usesAsked } from '../../platform/uses.ts'
import { dialogEnded } from '../botConfigs/botConfigs.events.ts'
import { categoryMerging } from '../categories/categories.events.ts'
import { looksUp } from '../messages/inbound/lookups.queries.ts'
import { responds } from '../messages/inbound/responders.actions.ts'
import { botPollAnswered, companyWrote, phoneWriting } from '../messages/messages.events.ts'
import { tagMerging } from '../tags/tags.events.ts'
import { ticketPlaced, ticketsLeaving } from '../tickets/tickets.events.ts'
import { belongingsAsked, userDeleting } from '../users/users.events.ts'
import { bequeathBots } from './bots.actions.ts'
import { forgetCalls } from './bots.calls.queries.ts'
import { botFiles, filesInUse, replaceCategory, replaceTag } from './bots.commands.queries.ts'
import { botsOwnedBy } from './bots.queries.ts'
import {
  answerCustomer,
  answerVote,
  escalateToPeople,
  followMove,
  isPhoneAside,
  stepBack,
} from './bots.turn.actions.ts'
import { botOnLookup, ticketsWithSession } from './bots.turn.queries.ts'
import { botsUsing } from './bots.uses.queries.ts'

export const reacts = [
  botFiles,

  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await filesInUse(tx, addresses)) named.add(address)
  }),
  within(usesAsked, async (tx, { kind, id, bots }) => {
    for (const name of await botsUsing(tx, kind, id)) bots.add(name)
  }),
  within(tagMerging, (tx, { tagId, into }) => replaceTag(tx, tagId, into)),
  within(categoryMerging, (tx, { categoryId, into }) => replaceCategory(tx, categoryId, into)),
  within(userDeleting, (tx, { userId, heirId }) => bequeathBots(tx, userId, heirId)),
  within(belongingsAsked, async (tx, { userId, found }) => {
    found.push({ kind: 'bots', ...(await botsOwnedBy(tx, userId)) })
  }),
  within(ticketsLeaving, async (tx, { ticketIds, isForgotten }) => {
    if (isForgotten) await forgetCalls(tx, ticketIds)
  }),
  looksUp(botOnLookup),
  responds('bot', answerCustomer),
  within(phoneWriting, async (tx, writing) => {
    writing.isAside ||= await isPhoneAside(tx, writing.ticketId, writing.isQuick)
  }),
  within(botPollAnswered, answerVote),
  withinAsking(
    companyWrote,
    (tx, { ticketIds }) => ticketsWithSession(tx, ticketIds),
    async (tx, found) => {
      for (const { ticketId } of found) await stepBack(tx, ticketId)
    },
  ),
  within(dialogEnded, (tx, { ticketId }) => escalateToPeople(tx, ticketId)),
  within(ticketPlaced, (tx, { ticket, before }) => followMove(tx, ticket, before)),
]
