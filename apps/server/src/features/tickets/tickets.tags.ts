import type { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, sql as tag } from '../../platform/sql.ts'
import { ticketChanged } from './tickets.events.ts'
import { actorOf } from './tickets.history.ts'
import { loadTicket, lockTicket, ticketShownTo, visible } from './tickets.queries.ts'
import { tags, tickets, ticketTags } from './tickets.table.ts'

/** Takes all tags off a ticket. Refuses with ERR_NO_TICKET_FOUND. */
export const clearTags = (scope: Scope, ticketId: number): Promise<Ticket> =>
  retag(scope, ticketId, async tx => {
    await tx.sql
      .delete(ticketTags)
      .where(and(eq(ticketTags.companyId, tx.companyId), eq(ticketTags.ticketId, ticketId)))
  })

/** Puts a tag on a ticket. A tag that does not exist changes nothing: cards are moved to no tag that way (OP-104). */
export const addTag = (scope: Scope, ticketId: number, tagId: number): Promise<Ticket> =>
  retag(scope, ticketId, async tx => {
    const [known] = await tx.sql
      .select({ id: tags.id })
      .from(tags)
      .where(and(eq(tags.companyId, tx.companyId), eq(tags.id, tagId)))
    if (!known) return
    await tx.sql.insert(ticketTags).values({ companyId: tx.companyId, ticketId, tagId }).onConflictDoNothing()
  })

const retag = (scope: Scope, ticketId: number, change: (tx: Tx) => Promise<void>) =>
  scope.transaction(async tx => {
    const standing = await lockTicket(tx, ticketId)
    if (!standing || !visible(scope, standing)) return refuse('ERR_NO_TICKET_FOUND')
    await change(tx)
    await tx.sql
      .update(tickets)
      .set({ version: tag`${tickets.version} + 1` })
      .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId)))
    const ticket = (await loadTicket(tx, ticketId))!
    const { status, queueId, userId } = standing
    tx.emit(ticketChanged, {
      ticket,
      before: { status, queueId, userId },
      by: actorOf(scope),
      transfer: false,
    })
    return ticketShownTo(tx, ticket)
  })
