import type { Typing } from '@balcao/contract/messages.ts'
import type { Chat } from '../../driver.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import type { Signals } from '../../platform/signals.ts'
import { contactsBehind, identifiersOf } from '../contacts/contacts.queries.ts'
import { findTicket, livingOf } from '../tickets/tickets.queries.ts'
import { customerTyped } from './messages.events.ts'

/** What the owner of a connection is asked to show the customer; it may be lost. */
export interface TypeNotice {
  contactId: number
  state: Typing
}

export const typeTopic = (whatsappId: number) => `type:${whatsappId}`

/** Shows the customer that somebody writes. Refuses with ERR_NO_TICKET_FOUND, ERR_TICKET_NOT_OPEN. */
export async function tellTyping(scope: Scope, ticketId: number, state: Typing, signals: Signals) {
  const { status, whatsappId, contactId } = await scope.read(tx => findTicket(tx, ticketId))
  if (status !== 'open') return refuse('ERR_TICKET_NOT_OPEN')
  const notice: TypeNotice = { contactId, state }
  if (whatsappId !== null) signals.notify(typeTopic(whatsappId), notice)
  return {}
}

/** Tells those who may see the customer's ticket; without one nobody is told. */
export async function customerTypes(tx: Tx, whatsappId: number, chat: Chat, state: Typing): Promise<void> {
  const [contact] = await contactsBehind(tx, identifiersOf(chat))
  const living = contact ? await livingOf(tx, contact.id) : []
  const ticket = living.find(one => one.whatsappId === whatsappId)
  if (ticket) tx.emit(customerTyped, { contactId: ticket.contactId, ticket, state })
}
