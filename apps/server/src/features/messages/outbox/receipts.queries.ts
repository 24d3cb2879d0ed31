import { externalIdOf } from '../../../platform/external.ts'
import { together } from '../../../platform/postgres/db.ts'
import { given, prepared } from '../../../platform/postgres/prepared.ts'
import { and, eq, inArray, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { loadTickets } from '../../tickets/tickets.queries.ts'
import { loadMessages, type MessageRow } from '../messages.queries.ts'
import { messages } from '../messages.table.ts'

/** Sent messages that WhatsApp knows by these ids on a connection, locked. */
export const lockSent = (tx: Tx, whatsappId: number, externalIds: string[]): Promise<MessageRow[]> =>
  sentForUpdate(tx.sql, {
    companyId: tx.companyId,
    whatsappId,
    externalIds: JSON.stringify(externalIds.map(externalIdOf)),
  })

const sentForUpdate = prepared(sql =>
  sql
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.companyId, given('companyId')),
        eq(messages.whatsappId, given('whatsappId')),
        tag`${messages.externalId} = any(array(select json_array_elements_text(${given('externalIds')}::json)))`,
        eq(messages.fromMe, true),
      ),
    )
    .orderBy(messages.id)
    .for('update'),
)

export interface NextAck {
  id: string
  ticketId: number
  ack: number
  failReason: string
}

/** Writes receipts, and the previews of the tickets whose last message is among them. Answers messages and tickets as they are then. */
export async function updateAcks(tx: Tx, acks: NextAck[]) {
  const listed = tag`json_to_recordset(${JSON.stringify(acks)}) as next(id uuid, "ticketId" int, ack int, "failReason" text)`
  const [, , changed, tickets] = await together(
    tx.sql,
    () =>
      tx.sql.execute(tag`update messages m set ack = next.ack, fail_reason = next."failReason", version = m.version + 1,
        waits = false, outbox = null
        from ${listed} where m.company_id = ${tx.companyId} and m.id = next.id`),
    () =>
      tx.sql.execute(tag`update tickets t set last_message_ack = lasts.ack, version = t.version + 1
        from (select l.id, next.ack from ${listed} join tickets l on l.company_id = ${tx.companyId}
          and l.id = next."ticketId" and l.last_message_id = next.id order by l.id for update of l) lasts
        where t.company_id = ${tx.companyId} and t.id = lasts.id`),
    () =>
      loadMessages(
        tx,
        acks.map(({ id }) => id),
      ),
    () =>
      loadTickets(
        tx,
        acks.map(({ ticketId }) => ticketId),
      ),
  )
  return changed.map((message, at) => ({ message, ticket: tickets[at]! }))
}

/** Where and when messages were sent. */
export const placesOf = (tx: Tx, messageIds: string[]) =>
  tx.sql
    .select({ contactId: messages.contactId, whatsappId: messages.whatsappId, at: messages.createdAt })
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), inArray(messages.id, messageIds)))
