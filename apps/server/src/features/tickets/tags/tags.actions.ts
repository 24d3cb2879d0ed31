import type { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../../platform/errors.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { tagChanged } from '../../tags/tags.events.ts'
import { heldTags, laneTags, selectTags } from '../../tags/tags.queries.ts'
import { publishMoved } from '../tickets.actions.ts'
import { actorOf, ticketChanged, ticketState } from '../tickets.events.ts'
import { isLiving, loadTicket, lockVisible, ticketShownTo, updateTicket } from '../tickets.queries.ts'
import { deleteAllTags, deleteOtherTags, deleteTags, insertTags, mergeTagRows } from './tags.queries.ts'

/** Removes all tags of a ticket. Refuses with ERR_NO_TICKET_FOUND. */
export const clearTags = (scope: Scope, ticketId: number): Promise<Ticket> =>
  retag(scope, ticketId, tx => deleteOtherTags(tx, ticketId, []))

/** Adds a tag to a ticket. A tag that does not exist changes nothing: cards are moved to no tag that way (OP-104). */
export const attachTag = (scope: Scope, ticketId: number, tagId: number): Promise<Ticket> =>
  retag(scope, ticketId, async tx => insertTags(tx, ticketId, await heldTags(tx, [tagId])))

/** Adds tags to those of a ticket, or takes them off. Answers which of them changed. Refuses with ERR_NO_TICKET_FOUND. */
export async function changeTags(
  scope: Scope,
  ticketId: number,
  tagIds: number[],
  how: 'add' | 'remove',
): Promise<number[]> {
  let touched: number[] = []
  await retag(scope, ticketId, async tx => {
    const held = how === 'add' ? await heldTags(tx, tagIds) : []
    touched = await (how === 'add' ? insertTags(tx, ticketId, held) : deleteTags(tx, ticketId, tagIds))
    return touched
  })
  return touched
}

/** Gives a ticket these tags and no others. Refuses with ERR_NO_TICKET_FOUND, ERR_NO_TAG_FOUND. */
export const syncTags = (scope: Scope, ticketId: number, tagIds: number[]): Promise<Ticket> =>
  retag(scope, ticketId, async tx => {
    const wanted = [...new Set(tagIds)]
    const known = await heldTags(tx, wanted)
    if (known.length < wanted.length) return refuse('ERR_NO_TAG_FOUND', { field: 'tags' })
    const removed = await deleteOtherTags(tx, ticketId, known)
    return [...removed, ...(await insertTags(tx, ticketId, known))]
  })

/**
 * Moves cards on the board: replaces the lanes among their tags by one, or with null by none; other tags stay. All cards
 * or none. Refuses with ERR_NO_TICKET_FOUND, and with ERR_NO_TAG_FOUND where the tag is not a lane.
 */
export const moveToLane = (scope: Scope, ticketIds: number[], tagId: number | null): Promise<Ticket[]> =>
  scope.transaction(async tx => {
    const lanes = (await laneTags(tx)).map(({ id }) => id)
    const wanted = tagId === null ? [] : await heldTags(tx, [tagId])
    if (tagId !== null && !(wanted.includes(tagId) && lanes.includes(tagId)))
      return refuse('ERR_NO_TAG_FOUND', { field: 'tagId' })
    const others = lanes.filter(id => id !== tagId)
    const moved: Ticket[] = []
    const touched = new Set<number>()
    // in the order of ids: concurrent moves of the same cards cannot deadlock
    for (const ticketId of [...new Set(ticketIds)].sort((a, b) => a - b)) {
      const one = await retagWithin(tx, ticketId, async () => [
        ...(await deleteTags(tx, ticketId, others)),
        ...(await insertTags(tx, ticketId, wanted)),
      ])
      moved.push(one.ticket)
      for (const id of one.touched) touched.add(id)
    }
    await publishCounts(tx, [...touched])
    return moved
  })

/** `change` returns the tags whose number of tickets changed. */
const retag = (scope: Scope, ticketId: number, change: (tx: Tx) => Promise<number[]>) =>
  scope.transaction(async tx => {
    const { ticket, touched } = await retagWithin(tx, ticketId, () => change(tx))
    await publishCounts(tx, touched)
    return ticket
  })

async function retagWithin(tx: Tx, ticketId: number, change: () => Promise<number[]>) {
  const before = ticketState(await lockVisible(tx, ticketId))
  const touched = await change()
  if (touched.length > 0) await updateTicket(tx, ticketId, {})
  const ticket = (await loadTicket(tx, ticketId))!
  if (touched.length > 0) tx.emit(ticketChanged, { ticket, before, by: actorOf(tx), transfer: false })
  return { ticket: ticketShownTo(tx, ticket), touched }
}

export async function mergeTicketTag(tx: Tx, tagId: number, into: number): Promise<void> {
  const touched = await mergeTagRows(tx, tagId, into)
  await publishMoved(tx, new Map(touched.filter(isLiving).map(row => [row.id, row])))
}

export async function removeTagsOf(tx: Tx, ticketIds: number[]): Promise<void> {
  if (ticketIds.length > 0) await publishCounts(tx, await deleteAllTags(tx, ticketIds))
}

async function publishCounts(tx: Tx, tagIds: number[]): Promise<void> {
  if (tagIds.length === 0) return
  for (const tag of await selectTags(tx, tagIds)) tx.emit(tagChanged, { action: 'update', tag })
}
