import type { Message } from '@balcao/contract/messages.ts'
import { LAST_WORDS } from '@balcao/contract/tickets.rules.ts'
import { removeFiles } from '../../platform/files.served.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, sql as tag } from '../../platform/sql.ts'
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

const showFormer = (tx: Tx, ticketId: number, removed: string) =>
  tx.sql.execute(tag`
    update ${tickets} t set last_message = coalesce(case when m.is_deleted then '' else left(m.body, ${LAST_WORDS}) end, ''),
      last_message_id = m.id, last_message_from_me = coalesce(m.from_me, false), last_message_ack = coalesce(m.ack, 0),
      last_message_type = case when m.is_deleted then 'deleted' else m.media_type end, version = t.version + 1
    from (select true as one) one left join lateral (select * from messages
      where company_id = ${tx.companyId} and ticket_id = ${ticketId} order by position desc, id desc limit 1) m on true
    where t.company_id = ${tx.companyId} and t.id = ${ticketId} and t.last_message_id = ${removed}::uuid`)
