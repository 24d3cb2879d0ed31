import type { InboundEvent } from '../../../driver.ts'
import type { Tx } from '../../../platform/scope.ts'
import { contactsBehind, identifiersOf } from '../../contacts/contacts.identifiers.queries.ts'
import { giveTicket } from '../../tickets/moves/merges.actions.ts'
import { lockRows } from '../../tickets/moves/merges.queries.ts'
import { ensureKept, ensureOpen, publishOpened } from '../../tickets/moves/open.actions.ts'
import { publishMoved } from '../../tickets/tickets.actions.ts'
import { loadTicket } from '../../tickets/tickets.queries.ts'
import { previewMoved } from '../thread/preview.queries.ts'
import { followTickets, holdsOnly, moveToContact, moveToTicket, receivedSince } from './merge.queries.ts'

/** Two contacts are merged: the messages of one become the other's. */
export const moveMessages = async (tx: Tx, { from, into }: { from: number; into: number }): Promise<void> =>
  void (await moveToContact(tx, from, into))

/**
 * A merge is undone: messages follow their tickets, and those received since the merge go to the contact that sent them. A
 * ticket that was opened since moves whole where every customer message in it is from the other contact.
 */
export async function partMessages(
  tx: Tx,
  { into, from, at }: { into: number; from: number; at: string },
): Promise<void> {
  await followTickets(tx, from)
  const strays = await straysSince(tx, [into, from], at)
  for (const [ticketId, those] of Map.groupBy(strays, ({ ticketId }) => ticketId)) {
    const { contactId } = those[0]!
    const isWhole = await holdsOnly(
      tx,
      ticketId,
      those.map(({ id }) => id),
      at,
    )
    if (isWhole && (await giveTicket(tx, ticketId, contactId))) await followTickets(tx, contactId)
    else await moveToOwnTicket(tx, ticketId, those)
  }
}

/** A message that is shown with another contact than the one that sent it. */
interface Stray {
  id: string
  ticketId: number
  whatsappId: number
  fromMe: boolean
  createdAt: string
  /** The contact that sent it. */
  contactId: number
}

/** The raw log holds the chat of each message. */
async function straysSince(tx: Tx, pair: number[], at: string): Promise<Stray[]> {
  const strays: Stray[] = []
  const known = new Map<string, number | undefined>()
  for (const { event, shownWith, ...row } of await receivedSince(tx, pair, at)) {
    const { chat } = JSON.parse(event) as InboundEvent
    const key = JSON.stringify(chat)
    if (!known.has(key)) known.set(key, (await contactsBehind(tx, identifiersOf(chat)))[0]?.id)
    const contactId = known.get(key)
    if (contactId !== undefined && contactId !== shownWith && pair.includes(contactId))
      strays.push({ ...row, contactId })
  }
  return strays
}

/** Moves messages to the ticket of their own contact, with their part of the unread count. */
async function moveToOwnTicket(tx: Tx, ticketId: number, strays: Stray[]) {
  const { contactId, whatsappId, createdAt } = strays[0]!
  const questions = strays.filter(({ fromMe }) => !fromMe).length
  const contact = { id: contactId, isGroup: false }
  const [opened] = questions > 0 ? await ensureOpen(tx, [contact], whatsappId) : []
  const target = opened ?? { id: await ensureKept(tx, contact, whatsappId), isNew: false }
  const before = await lockRows(tx, [ticketId, target.id])
  const unread = Math.min(questions, before.get(ticketId)!.unreadMessages)
  await moveToTicket(
    tx,
    strays.map(({ id }) => id),
    { ticketId: target.id, contactId },
  )
  await previewMoved(tx, ticketId, -unread, null)
  await previewMoved(tx, target.id, target.isNew ? questions : unread, createdAt)
  if (target.isNew) {
    publishOpened(tx, (await loadTicket(tx, target.id))!)
    before.delete(target.id)
  }
  await publishMoved(tx, before)
}
