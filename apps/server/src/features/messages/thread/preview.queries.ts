import { LAST_WORDS } from '@balcao/contract/tickets.rules.ts'
import { type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { tickets } from '../../tickets/tickets.table.ts'
import { messages } from '../messages.table.ts'

/** The preview of a ticket whose last message was removed shows the one before it. */
export const previewBefore = (tx: Tx, ticketId: number, removed: string) =>
  tx.sql.execute(tag`
    update ${tickets} t set ${ofLast}, version = t.version + 1 ${lastMessage(tx, ticketId)} and t.last_message_id = ${removed}::uuid`)

/** The preview of a ticket after messages were moved: `unread` more of them are not read, the first of those since `since`. */
export const previewMoved = (tx: Tx, ticketId: number, unread: number, since: string | null) =>
  tx.sql.execute(tag`
    update ${tickets} t set ${ofLast},
      unread_messages = greatest(t.unread_messages + ${unread}::int, 0),
      waiting_since = case when t.unread_messages + ${unread}::int > 0 then coalesce(t.waiting_since, ${since}::timestamptz) end,
      updated_at = greatest(t.updated_at, ${since}::timestamptz), version = t.version + 1 ${lastMessage(tx, ticketId)}`)

const ofLast = tag`last_message = coalesce(case when m.is_deleted then '' else left(m.body, ${LAST_WORDS}) end, ''),
      last_message_id = m.id, last_message_from_me = coalesce(m.from_me, false), last_message_ack = coalesce(m.ack, 0),
      last_message_type = case when m.is_deleted then 'deleted' else m.media_type end`

const lastMessage = (tx: Tx, ticketId: number): SQL => tag`
    from (select true as one) one left join lateral (select * from ${messages}
      where company_id = ${tx.companyId} and ticket_id = ${ticketId} and not is_private order by position desc, id desc limit 1) m on true
    where t.company_id = ${tx.companyId} and t.id = ${ticketId}`
