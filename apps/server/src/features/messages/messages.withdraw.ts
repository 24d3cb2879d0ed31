import type { Message } from '@balcao/contract/messages.ts'
import { LAST_WORDS } from '@balcao/contract/tickets.rules.ts'
import type { MessageSource } from '@balcao/contract/tickets.ts'
import { removeFiles } from '../../platform/files.served.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, isNotNull, max, sql as tag } from '../../platform/sql.ts'
import { ticketChanged } from '../tickets/tickets.events.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { messageRemoved } from './messages.events.ts'
import { loadMessage, type MessageRow } from './messages.queries.ts'
import { messages } from './messages.table.ts'

/** Waits in the outbox and was never tried: nobody outside has it. */
export const neverLeft = ({ outbox, attempts }: MessageRow) => outbox === 'queued' && attempts === 0

/** What never left is as if it had not been written: row and file go, the list's row says what was said before. */
export async function withdrawMessage(tx: Tx, { id, ticketId, mediaUrl }: MessageRow): Promise<Message> {
  const message = (await loadMessage(tx, id))!
  await tx.sql.delete(messages).where(and(eq(messages.companyId, tx.companyId), eq(messages.id, id)))
  if (mediaUrl) await removeFiles(tx, [mediaUrl])
  await showFormer(tx, ticketId, id)
  const ticket = (await loadTicket(tx, ticketId))!
  const { status, queueId, userId } = ticket
  tx.emit(messageRemoved, { messageId: id, ticket })
  tx.emit(ticketChanged, { ticket, before: { status, queueId, userId }, by: null, transfer: false })
  return { ...message, isDeleted: true }
}

/** What of a source waits for its time on a ticket is taken back; what began to leave goes on. Answers how many. */
export async function withdrawWaiting(tx: Tx, ticketId: number, source: MessageSource): Promise<number> {
  const waiting = await tx.sql
    .select()
    .from(messages)
    .where(waitingOn(tx, ticketId, source))
    .orderBy(messages.id)
    .for('update')
  for (const row of waiting) if (neverLeft(row)) await withdrawMessage(tx, row)
  return waiting.length
}

/**
 * What of a source waits for its time on a ticket leaves later, each as much as the others, so that none leaves before
 * `from`.
 */
export const putOff = (tx: Tx, ticketId: number, source: MessageSource, from: string) =>
  tx.sql.execute(tag`
    update ${messages} m set due_at = m.due_at + late.by, typing_from = m.typing_from + late.by
    from (select ${from}::timestamptz - min(due_at) as by from ${messages} where ${waitingOn(tx, ticketId, source)}) late
    where m.company_id = ${tx.companyId} and m.ticket_id = ${ticketId} and m.source = ${source}
      and m.outbox = 'queued' and m.due_at is not null and late.by > interval '0'`)

/** When the last message of a ticket leaves that waits for its time, of one source or any; null when none does. */
export async function lastDue(tx: Tx, ticketId: number, source?: MessageSource): Promise<string | null> {
  const [row] = await tx.sql
    .select({ at: max(messages.dueAt) })
    .from(messages)
    .where(waitingOn(tx, ticketId, source))
  return row?.at ?? null
}

const waitingOn = (tx: Tx, ticketId: number, source?: MessageSource) =>
  and(
    eq(messages.companyId, tx.companyId),
    eq(messages.ticketId, ticketId),
    source && eq(messages.source, source),
    eq(messages.outbox, 'queued'),
    isNotNull(messages.dueAt),
  )

const showFormer = (tx: Tx, ticketId: number, removed: string) =>
  tx.sql.execute(tag`
    update ${tickets} t set last_message = coalesce(case when m.is_deleted then '' else left(m.body, ${LAST_WORDS}) end, ''),
      last_message_id = m.id, last_message_from_me = coalesce(m.from_me, false), last_message_ack = coalesce(m.ack, 0),
      last_message_type = case when m.is_deleted then 'deleted' else m.media_type end, version = t.version + 1
    from (select true as one) one left join lateral (select * from messages
      where company_id = ${tx.companyId} and ticket_id = ${ticketId} order by position desc, id desc limit 1) m on true
    where t.company_id = ${tx.companyId} and t.id = ${ticketId} and t.last_message_id = ${removed}::uuid`)
