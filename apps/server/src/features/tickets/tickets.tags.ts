import type { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, inArray, notInArray, type SQL, sql as tag } from '../../platform/sql.ts'
import { tagChanged } from '../tags/tags.events.ts'
import { heldTags, laneTags, selectTags } from '../tags/tags.queries.ts'
import { ticketChanged } from './tickets.events.ts'
import { actorOf } from './tickets.history.ts'
import { isLiving, tellMoved } from './tickets.merge.ts'
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

/**
 * Cards are moved on the board: of their tags those that are lanes are replaced by one, or with null by none; all others
 * stay. All cards or none. Refuses with ERR_NO_TICKET_FOUND, and with ERR_NO_TAG_FOUND where the tag is no lane.
 */
export const moveToLane = (scope: Scope, ticketIds: number[], tagId: number | null): Promise<Ticket[]> =>
  scope.transaction(async tx => {
    const lanes = (await laneTags(tx)).map(({ id }) => id)
    const wanted = tagId === null ? [] : await heldTags(tx, [tagId])
    if (tagId !== null && !(wanted.includes(tagId) && lanes.includes(tagId)))
      return refuse('ERR_NO_TAG_FOUND', { field: 'tagId' })
    const gone = lanes.filter(id => id !== tagId)
    const moved: Ticket[] = []
    const touched = new Set<number>()
    // in one order, so that of two who move the same cards one waits
    for (const ticketId of [...new Set(ticketIds)].sort((a, b) => a - b)) {
      const change = async () => [
        ...(await detach(tx, ticketId, inArray(ticketTags.tagId, gone))),
        ...(await attach(tx, ticketId, wanted)),
      ]
      const one = await retagWithin(tx, ticketId, change)
      moved.push(one.ticket)
      for (const id of one.touched) touched.add(id)
    }
    await tellCounts(tx, [...touched])
    return moved
  })

/** The change answers which tags have one ticket more or less. */
const retag = (scope: Scope, ticketId: number, change: (tx: Tx) => Promise<number[]>) =>
  scope.transaction(async tx => {
    const { ticket, touched } = await retagWithin(tx, ticketId, () => change(tx))
    await tellCounts(tx, touched)
    return ticket
  })

async function retagWithin(tx: Tx, ticketId: number, change: () => Promise<number[]>) {
  const standing = await lockTicket(tx, ticketId)
  if (!standing || !visible(tx, standing)) return refuse('ERR_NO_TICKET_FOUND')
  const touched = await change()
  if (touched.length === 0) return { ticket: ticketShownTo(tx, (await loadTicket(tx, ticketId))!), touched }
  await tx.sql
    .update(tickets)
    .set({ version: tag`${tickets.version} + 1` })
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId)))
  const ticket = (await loadTicket(tx, ticketId))!
  const { status, queueId, userId } = standing
  tx.emit(ticketChanged, { ticket, before: { status, queueId, userId }, by: actorOf(tx), transfer: false })
  return { ticket: ticketShownTo(tx, ticket), touched }
}

async function tellCounts(tx: Tx, tagIds: number[]): Promise<void> {
  if (tagIds.length === 0) return
  for (const counted of await selectTags(tx, tagIds)) tx.emit(tagChanged, { action: 'update', tag: counted })
}

const detachAllBut = (tx: Tx, ticketId: number, kept: number[]): Promise<number[]> =>
  detach(tx, ticketId, kept.length > 0 ? notInArray(ticketTags.tagId, kept) : undefined)

async function detach(tx: Tx, ticketId: number, which: SQL | undefined): Promise<number[]> {
  const gone = await tx.sql
    .delete(ticketTags)
    .where(and(eq(ticketTags.companyId, tx.companyId), eq(ticketTags.ticketId, ticketId), which))
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

/** The tickets of a tag that is about to go have the other one; screens hear of those that live. */
export async function moveTag(tx: Tx, tagId: number, into: number): Promise<void> {
  const moved = tx.sql
    .select({
      companyId: ticketTags.companyId,
      ticketId: ticketTags.ticketId,
      tagId: tag<number>`${into}::int`.as('tag_id'),
    })
    .from(ticketTags)
    .where(and(eq(ticketTags.companyId, tx.companyId), eq(ticketTags.tagId, tagId)))
  await tx.sql.insert(ticketTags).select(moved).onConflictDoNothing()
  await tx.sql
    .delete(ticketTags)
    .where(and(eq(ticketTags.companyId, tx.companyId), eq(ticketTags.tagId, tagId)))
  const touched = await tx.sql
    .update(tickets)
    .set({ version: tag`${tickets.version} + 1` })
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        tag`${tickets.id} in (select ticket_id from ${ticketTags} where company_id = ${tx.companyId} and tag_id = ${into})`,
      ),
    )
    .returning()
  await tellMoved(tx, new Map(touched.filter(isLiving).map(row => [row.id, row])))
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
