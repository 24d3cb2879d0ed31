import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { and, eq, sql as tag } from 'drizzle-orm'
import type { Tx } from '../../platform/scope.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'

/** The ticket's row of the list follows its newest message, in the same commit. */
export async function touch(tx: Tx, message: Message, how: { answered: boolean }): Promise<Ticket> {
  const counting = how.answered
    ? { unreadMessages: 0, waitingSince: null }
    : {
        unreadMessages: tag`${tickets.unreadMessages} + 1`,
        waitingSince: tag`coalesce(${tickets.waitingSince}, ${message.createdAt}::timestamptz)`,
      }
  await tx.sql
    .update(tickets)
    .set({
      ...counting,
      lastMessage: message.body.slice(0, 300),
      lastMessageId: message.id,
      lastMessageFromMe: message.fromMe,
      lastMessageAck: message.ack,
      lastMessageType: message.mediaType,
      updatedAt: tag`greatest(${tickets.updatedAt}, ${message.createdAt}::timestamptz)`,
      version: tag`${tickets.version} + 1`,
    })
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, message.ticketId)))
  return (await loadTicket(tx, message.ticketId))!
}

/** The mark in the list follows the last message's ack. */
export const standsLast = (tx: Tx, ticketId: number, messageId: string, ack: number) =>
  tx.sql
    .update(tickets)
    .set({ lastMessageAck: ack, version: tag`${tickets.version} + 1` })
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.id, ticketId),
        eq(tickets.lastMessageId, messageId),
      ),
    )
