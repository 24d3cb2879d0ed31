import { FAILED, nextAck } from '@balcao/contract/messages.rules.ts'
import type { MessageSource } from '@balcao/contract/tickets.ts'
import type { InboundEvent } from '../../../driver.ts'
import { databaseTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/scope.ts'
import { closeWindow } from '../../tickets/tickets.actions.ts'
import { loadTickets } from '../../tickets/tickets.queries.ts'
import { marketingRefused, messageChanged, messagesSettled } from '../messages.events.ts'
import { loadMessages } from '../messages.queries.ts'
import { holdMessages, lockRestriction, RESTRICTED } from './held.queries.ts'
import { scheduleRetries, type Unsent } from './outbox.queries.ts'
import { lockSent, placesOf, updateAcks } from './receipts.queries.ts'
import { waitingOnConnection } from './waiting.queries.ts'

type Receipt = Pick<Extract<InboundEvent, { kind: 'ack' }>, 'externalId' | 'ack' | 'reason'> & {
  whatsappId: number
  at?: string
}

/** Sources whose feature reacts to the outcome. */
const awaited = new Set<MessageSource>(['schedule', 'campaign'])

/**
 * Applies receipts to sent messages. An ack only rises; an id that is not ours changes nothing. Answers the tickets they
 * belong to, in the order of the receipts, null for what is not ours.
 */
export async function acknowledge(tx: Tx, receipts: Receipt[]): Promise<(number | null)[]> {
  const placeOf = (one: { whatsappId: number | null; externalId: string }) =>
    `${one.whatsappId} ${one.externalId}`
  const sent = new Map((await lockSent(tx, receipts)).map(row => [placeOf(row), row]))
  const rows = receipts.map(receipt => sent.get(placeOf(receipt)))
  const risen = receipts.flatMap(({ ack, reason = 'ERR_SENDING_WAPP_MSG' }, at) => {
    const row = rows[at]
    const next = row && nextAck(row.ack, ack, row.failReason)
    if (row === undefined || next === undefined || (next === row.ack && !row.waits)) return []
    return [
      {
        id: row.id,
        ticketId: row.ticketId,
        ack: next,
        failReason: next === 0 ? reason : '',
        at: receipts[at]!.at,
      },
    ]
  })
  if (risen.length === 0) return rows.map(row => row?.ticketId ?? null)
  const late = risen.filter(({ failReason }) => failReason === 'ERR_WAPP_WINDOW_CLOSED')
  if (late.length > 0) await closeWindows(tx, late)
  const changed = await updateAcks(tx, risen)
  for (const { id: messageId, ack, failReason: reason } of risen)
    if (ack === FAILED) tx.note('a message failed for good', { messageId, reason })
  for (const { message, ticket } of changed) {
    tx.emit(messageChanged, { message, ticket })
    if (message.failReason === 'ERR_OPTED_OUT') {
      const at = risen.find(({ id }) => id === message.id)?.at ?? databaseTime()
      await tx.involve(marketingRefused, { contactId: ticket.contactId, at })
    }
  }
  const settled = new Map(changed.map(({ message }) => [message.id, message]))
  const messages = [...settled.values()].filter(({ source }) => awaited.has(source))
  if (messages.length > 0) await tx.involve(messagesSettled, { messages })
  return rows.map(row => row?.ticketId ?? null)
}

/** The network refused a text outside the reply window: the window is closed, unless the customer wrote since. */
async function closeWindows(tx: Tx, refused: { id: string }[]) {
  const places = await placesOf(
    tx,
    refused.map(({ id }) => id),
  )
  for (const { contactId, whatsappId, at } of places)
    if (whatsappId !== null) await closeWindow(tx, contactId, whatsappId, at)
}

/** Messages that fail by one statement. */
const FAILED_AT_ONCE = 500

/** Fails the first `most` messages that wait in the outbox of a connection that does not send any more. Returns how many; 0 where none is left. */
export async function failWaiting(
  tx: Tx,
  whatsappId: number,
  reason: string,
  most = FAILED_AT_ONCE,
): Promise<number> {
  const waiting = await waitingOnConnection(tx, whatsappId, most)
  const failed = waiting.map(({ externalId }) => ({ whatsappId, externalId, ack: FAILED, reason }))
  if (failed.length === 0) return 0
  await acknowledge(tx, failed)
  // what cannot fail any more is not counted again and again
  const [first] = await waitingOnConnection(tx, whatsappId, 1)
  return first?.externalId === waiting[0]!.externalId ? 0 : failed.length
}

/** Schedules the next tries of messages that were not sent; announces those whose reason changed. */
export async function keepUnsent(tx: Tx, whatsappId: number, unsent: Unsent[]): Promise<void> {
  const isHeld = ({ reason }: Unsent) => reason === RESTRICTED
  const restMs = unsent.some(isHeld) ? await lockRestriction(tx, whatsappId) : 0
  const tries = unsent.map(one => (isHeld(one) ? { ...one, inMs: Math.min(one.inMs, restMs) } : one))
  const changed = await scheduleRetries(tx, tries)
  await announce(
    tx,
    changed.filter(({ isNews }) => isNews),
  )
}

/** First messages wait until the restriction of their number ends, and say so. */
export async function holdBack(tx: Tx, whatsappId: number, ids: string[]): Promise<void> {
  const inMs = await lockRestriction(tx, whatsappId)
  if (inMs > 0) await announce(tx, await holdMessages(tx, ids, inMs))
}

async function announce(tx: Tx, changed: { id: string; ticketId: number }[]): Promise<void> {
  const messages = await loadMessages(
    tx,
    changed.map(({ id }) => id),
  )
  const tickets = await loadTickets(
    tx,
    changed.map(({ ticketId }) => ticketId),
  )
  for (const [at, message] of messages.entries()) tx.emit(messageChanged, { message, ticket: tickets[at]! })
}
