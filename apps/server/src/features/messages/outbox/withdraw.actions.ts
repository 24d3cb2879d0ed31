import type { Message } from '@balcao/contract/messages.ts'
import type { MessageSource } from '@balcao/contract/tickets.ts'
import { removeFiles } from '../../../platform/files/served.ts'
import type { Tx } from '../../../platform/scope.ts'
import { ticketChanged } from '../../tickets/tickets.events.ts'
import { loadTicket } from '../../tickets/tickets.queries.ts'
import { messageRemoved } from '../messages.events.ts'
import { BLANK, loadMessage, type MessageRow } from '../messages.queries.ts'
import { previewBefore, previewMoved } from '../thread/preview.queries.ts'
import { deleteMessage, lockScheduled } from './waiting.queries.ts'

/** Waits in the outbox and was never tried: nothing outside has it. */
export const neverLeft = ({ outbox, attempts }: MessageRow) => outbox === 'queued' && attempts === 0

/** Removes a message that never left, or a placeholder: its row and its file; the ticket's preview shows the message before it. */
export async function withdrawMessage(tx: Tx, row: MessageRow): Promise<Message> {
  const { id, ticketId, mediaUrl } = row
  const message = (await loadMessage(tx, id))!
  await deleteMessage(tx, id)
  if (mediaUrl) await removeFiles(tx, [mediaUrl])
  if (row.fromMe || row.read) await previewBefore(tx, ticketId, id)
  else await previewMoved(tx, ticketId, -1, null)
  const ticket = (await loadTicket(tx, ticketId))!
  const { status, queueId, userId, snoozedUntil } = ticket
  tx.emit(messageRemoved, { messageId: id, ticket })
  tx.emit(ticketChanged, {
    ticket,
    before: { status, queueId, userId, snoozedUntil },
    by: null,
    transfer: false,
  })
  return { ...message, ...BLANK, reactions: [], isDeleted: true }
}

/** Withdraws what a source scheduled on a ticket; what began to leave goes on. Answers how many waited. */
export async function withdrawWaiting(tx: Tx, ticketId: number, source: MessageSource): Promise<number> {
  const waiting = await lockScheduled(tx, ticketId, source)
  for (const row of waiting) if (neverLeft(row)) await withdrawMessage(tx, row)
  return waiting.length
}
