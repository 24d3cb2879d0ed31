import { isStopWord, USUAL_STOP_WORD } from '@balcao/contract/optOuts.rules.ts'
import { isThanks } from '@balcao/contract/thanks.rules.ts'
import type { Tx } from '../../../platform/scope.ts'
import { replyRulesOf } from '../../companies/companies.queries.ts'
import { reopenForOwner } from '../../tickets/moves/moves.actions.ts'
import { lockJustClosed } from '../../tickets/moves/open.queries.ts'
import { afterwordArrived, customerWrote, messageCreated } from '../messages.events.ts'
import { insertMessages } from '../messages.queries.ts'
import { companyWroteSince } from './inbound.queries.ts'
import type { InboundMessage, InboundRow } from './inbound.rules.ts'
import { lookUp } from './lookups.queries.ts'

/**
 * What answers a survey joins the ticket that it is about. Thanks shortly after a closing join the closed ticket, or reopen it for its attendant, as the company decided. No
 * greeting is sent. Returns the ticket; null for any other message, and for the answer to what the company wrote since, or to
 * its buttons.
 */
export async function receiveThanks(
  tx: Tx,
  contact: { id: number; isGroup: boolean; answerUntil?: string | null },
  row: InboundRow,
  { repliesUntil, tapId }: InboundMessage,
): Promise<number | null> {
  if (contact.answerUntil) {
    const arrived = { contact, row, tapId, repliesUntil, joined: null as number | null }
    await tx.involve(afterwordArrived, arrived)
    if (arrived.joined !== null) return arrived.joined
  }
  if (contact.isGroup || row.isDeleted || tapId !== undefined || !isThanks(row)) return null
  // it asks for no more messages, however politely
  if (isStopWord(row.body, [USUAL_STOP_WORD])) return null
  const { thanksMinutes: minutes, reopensOnThanks } = await replyRulesOf(tx)
  if (minutes === 0) return null
  const { whatsappId, createdAt: at } = row
  const closed = await lockJustClosed(tx, contact.id, whatsappId, { at, minutes })
  if (!closed || (await companyWroteSince(tx, closed.id, closed.closedAt))) return null
  const reopens = reopensOnThanks && closed.userId !== null
  if (reopens) await reopenForOwner(tx, closed.id)
  const effect = reopens ? 'question' : 'afterword'
  const arrival = { row: { ...row, ticketId: closed.id }, effect, repliesUntil } as const
  const [{ message, ticket }] = await insertMessages(tx, [arrival])
  tx.emit(messageCreated, { message, ticket })
  const [received] = await lookUp(tx, [{ ticket, message, isNew: false }])
  await tx.involve(customerWrote, received)
  return closed.id
}
