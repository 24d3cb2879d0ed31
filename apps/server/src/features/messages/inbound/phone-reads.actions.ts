import type { InboundEvent } from '../../../driver.ts'
import type { Tx } from '../../../platform/scope.ts'
import { readsOnPhone } from '../../companies/companies.queries.ts'
import { contactsBehind, identifiersOf } from '../../contacts/contacts.identifiers.queries.ts'
import { markRead } from '../../tickets/tickets.actions.ts'
import { lockTicket } from '../../tickets/tickets.queries.ts'
import { countUnreadAfter, markMessagesRead } from '../thread/thread.queries.ts'
import { lastOf } from './inbound.queries.ts'

/**
 * Customers' messages were read on the phone: their tickets count them as read, with everything before them, unless the
 * company counts only what is read here. An event without messages is about all of its chat until then. Answers a ticket of them;
 * null where none is known.
 */
export async function readOnPhone(
  tx: Tx,
  whatsappId: number,
  { chat, externalIds, at }: Extract<InboundEvent, { kind: 'read' }>,
): Promise<number | null> {
  if (!(await readsOnPhone(tx))) return null
  const people = externalIds.length > 0 ? [] : await contactsBehind(tx, identifiersOf(chat))
  const read = await lastOf(tx, whatsappId, {
    externalIds,
    contactIds: people.map(({ id }) => id),
    until: at,
  })
  for (const { ticketId, position } of read) {
    await lockTicket(tx, ticketId)
    await markMessagesRead(tx, ticketId, position)
    await markRead(tx, ticketId, await countUnreadAfter(tx, ticketId, position))
  }
  return read.at(-1)?.ticketId ?? null
}
