import type { Ticket } from '@balcao/contract/tickets.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Signals } from '../../platform/signals.ts'
import { and, eq } from '../../platform/sql.ts'
import { markRead } from '../tickets/tickets.actions.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import { messages } from './messages.table.ts'
import type { Page } from './messages.written.ts'

/** What the owner of a connection is asked to tell WhatsApp: these were read. */
export interface ReadNotice {
  companyId: number
  contactId: number
  messages: { externalId: string; author: { kind: 'phone' | 'lid'; value: string } | null }[]
}

export const readTopic = (whatsappId: number) => `read:${whatsappId}`

/**
 * The owner of an open ticket looked at its newest messages: nothing waits there any more, and only now the
 * customer's phone is told. Anybody else may look without a trace. Answers the ticket as it stands then.
 */
export async function readByOwner(
  scope: Scope,
  { ticket, hasUnread }: Pick<Page, 'ticket' | 'hasUnread'>,
  signals: Signals,
): Promise<Ticket> {
  if (ticket.status !== 'open' || ticket.userId !== scope.viewer?.id) return ticket
  // accepting already counted them as seen; the customer's phone is told when they really are
  if (ticket.unreadMessages === 0 && !hasUnread) return ticket
  const { after, rows: told } = await scope.transaction(async tx => {
    await markRead(tx, ticket.id)
    const rows = await tx.sql
      .update(messages)
      .set({ read: true })
      .where(
        and(
          eq(messages.companyId, tx.companyId),
          eq(messages.ticketId, ticket.id),
          eq(messages.fromMe, false),
          eq(messages.read, false),
        ),
      )
      .returning({ externalId: messages.externalId, author: messages.author })
    return { after: await findTicket(tx, ticket.id), rows }
  })
  const notice: ReadNotice = { companyId: scope.companyId, contactId: ticket.contactId, messages: told }
  if (ticket.whatsappId !== null && told.length > 0) signals.notify(readTopic(ticket.whatsappId), notice)
  return after
}
