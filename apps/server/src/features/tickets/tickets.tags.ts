import type { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, inArray, notInArray, sql as tag } from '../../platform/sql.ts'
import { tagChanged } from '../tags/tags.events.ts'
import { heldTags, selectTags } from '../tags/tags.queries.ts'
import { ticketChanged } from './tickets.events.ts'
import { actorOf } from './tickets.history.ts'
import { loadTicket, lockTicket, ticketShownTo, visible } from './tickets.queries.ts'
import { tickets, ticketTags } from './tickets.table.ts'

/** Takes all tags off a ticket. Refuses with ERR_NO_TICKET_FOUND. */
export const clearTags = (scope: Scope, ticketId: number): Promise<Ticket> =>
  retag(scope, ticketId, tx => detachAllBut(tx, ticketId, []))

/** Puts a tag on a ticket. A tag that does not exist changes nothing: cards are moved to no tag that way (OP-104). */
export const attachTag = (scope: Scope, ticketId: number, tagId: number): Promise<Ticket> =>
  retag(scope, ticketId, async tx => attach(tx, ticketId, await heldTags(tx, [tagId])))

/** The tags of a ticket are these, and no others. Refuses with ERR_NO_TICKET_FOUND, ERR_NO_TAG_FOUND. */
export const syncTags = (scope: Scope, ticketId: number, tagIds: number[]): Promise<Ticket> =>
  retag(scope, ticketId, async tx => {
    const wanted = [...new Set(tagIds)]
    const known = await heldTags(tx, wanted)
    if (known.length < wanted.length) return refuse('ERR_NO_TAG_FOUND', { field: 'tags' })
    const gone = await detachAllBut(tx, ticketId, known)
    return [...gone, ...(await attach(tx, ticketId, known))]
  })

/** The change answers which tags have one ticket more or less. */
const retag = (scope: Scope, ticketId: number, change: (tx: Tx) => Promise<number[]>) =>
  scope.transaction(async tx => {
    const standing = await lockTicket(tx, ticketId)
    if (!standing || !visible(scope, standing)) return refuse('ERR_NO_TICKET_FOUND')
    const touched = await change(tx)
    if (touched.length === 0) return ticketShownTo(tx, (await loadTicket(tx, ticketId))!)
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
    for (const counted of await selectTags(tx, touched))
      tx.emit(tagChanged, { action: 'update', tag: counted })
    return ticketShownTo(tx, ticket)
  })

async function detachAllBut(tx: Tx, ticketId: number, kept: number[]): Promise<number[]> {
  const gone = await tx.sql
    .delete(ticketTags)
    .where(
      and(
        eq(ticketTags.companyId, tx.companyId),
        eq(ticketTags.ticketId, ticketId),
        kept.length > 0 ? notInArray(ticketTags.tagId, kept) : undefined,
      ),
    )
    .returning({ id: ticketTags.tagId })
  return gone.map(({ id }) => id)
}

async function attach(tx: Tx, ticketId: number, tagIds: number[]): Promise<number[]> {
  if (tagIds.length === 0) return []
  const added = await tx.sql
    .insert(ticketTags)
    .values(tagIds.map(tagId => ({ companyId: tx.companyId, ticketId, tagId })))
    .onConflictDoNothing()
    .returning({ id: ticketTags.tagId })
  return added.map(({ id }) => id)
}

/** What tickets had that are about to go has so many tickets less, on all screens. */
export async function tellTagsOf(tx: Tx, ticketIds: number[]): Promise<void> {
  if (ticketIds.length === 0) return
  const theirs = await tx.sql
    .delete(ticketTags)
    .where(and(eq(ticketTags.companyId, tx.companyId), inArray(ticketTags.ticketId, ticketIds)))
    .returning({ id: ticketTags.tagId })
  const touched = [...new Set(theirs.map(({ id }) => id))]
  for (const counted of await selectTags(tx, touched)) tx.emit(tagChanged, { action: 'update', tag: counted })
}
