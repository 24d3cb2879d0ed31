import type { Tx } from '../../../platform/scope.ts'
import { readsOnPhone } from '../../companies/companies.queries.ts'
import { markRead } from '../../tickets/tickets.actions.ts'
import { lockTicket } from '../../tickets/tickets.queries.ts'
import { countUnreadAfter, markMessagesRead } from '../thread/thread.queries.ts'
import { lastOf } from './inbound.queries.ts'

/**
 * Customers' messages were read on the phone: their tickets count them as read, with everything before them, unless the
 * company counts only what is read here. Answers a ticket of them; null where none is known.
 */
export async function readOnPhone(tx: Tx, whatsappId: number, externalIds: string[]): Promise<number | null> {
  if (!(await readsOnPhone(tx))) return null
  const read = await lastOf(tx, whatsappId, externalIds)
  for (const { ticketId, position } of read) {
    await lockTicket(tx, ticketId)
    await markMessagesRead(tx, ticketId, position)
    await markRead(tx, ticketId, await countUnreadAfter(tx, ticketId, position))
  }
  return read.at(-1)?.ticketId ?? null
}
