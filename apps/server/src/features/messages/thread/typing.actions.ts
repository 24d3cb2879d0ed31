import type { Typing } from '@balcao/contract/messages.ts'
import type { Chat } from '../../../driver.ts'
import { refuse } from '../../../platform/errors.ts'
import type { Signals } from '../../../platform/live/signals.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { contactsBehind, identifiersOf } from '../../contacts/contacts.identifiers.queries.ts'
import { livingOf } from '../../tickets/moves/open.queries.ts'
import { findTicket } from '../../tickets/tickets.queries.ts'
import { customerTyped, type TypeNotice, typeTopic } from '../messages.events.ts'

/** Shows the customer that the attendant is typing. Refuses with ERR_NO_TICKET_FOUND, ERR_TICKET_NOT_OPEN. */
export async function publishTyping(scope: Scope, ticketId: number, state: Typing, signals: Signals) {
  const { status, whatsappId, contactId } = await scope.read(tx => findTicket(tx, ticketId))
  if (status !== 'open') return refuse('ERR_TICKET_NOT_OPEN')
  const notice: TypeNotice = { contactId, state }
  if (whatsappId !== null) signals.notify(typeTopic(whatsappId), notice)
  return {}
}

/** Announces that a customer is typing, for the readers of their ticket on this connection. */
export async function customerTypes(tx: Tx, whatsappId: number, chat: Chat, state: Typing): Promise<void> {
  const [contact] = await contactsBehind(tx, identifiersOf(chat))
  const living = contact ? await livingOf(tx, contact.id) : []
  const ticket = living.find(one => one.whatsappId === whatsappId)
  if (ticket) tx.emit(customerTyped, { contactId: ticket.contactId, ticket, state })
}
