import { externalIdOf } from '../../../platform/external.ts'
import { together } from '../../../platform/postgres/db.ts'
import { given, preparedText, statement } from '../../../platform/postgres/prepared.ts'
import { and, eq, getTableColumns, inArray, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { loadTickets } from '../../tickets/tickets.queries.ts'
import { loadMessages } from '../messages.queries.ts'
import { messages } from '../messages.table.ts'

/** Sent messages that are known by these ids on their connections, locked. */
export const lockSent = statement(
  sql =>
    sql
      .select(getTableColumns(messages))
      .from(
        tag`unnest(${given('whatsappIds')}::int[], ${given('externalIds')}::text[]) as place (whatsapp_id, external_id)`,
      )
      .innerJoin(
        messages,
        and(
          eq(messages.companyId, given('companyId')),
          tag`${messages.whatsappId} = place.whatsapp_id and ${messages.externalId} = place.external_id`,
          eq(messages.fromMe, true),
        ),
      )
      .orderBy(messages.id)
      .for('update', { of: messages }),
  (places: { whatsappId: number; externalId: string }[]) => ({
    whatsappIds: places.map(({ whatsappId }) => whatsappId),
    externalIds: places.map(({ externalId }) => externalIdOf(externalId)),
  }),
)

/** Writes receipts, and the previews of the tickets whose last message is among them. Answers messages and tickets as they are then. */
export async function updateAcks(
  tx: Tx,
  acks: { id: string; ticketId: number; ack: number; failReason: string }[],
) {
  const values = {
    companyId: tx.companyId,
    ids: acks.map(({ id }) => id),
    ticketIds: acks.map(({ ticketId }) => ticketId),
    acks: acks.map(({ ack }) => ack),
    reasons: acks.map(({ failReason }) => failReason),
  }
  const [, , changed, tickets] = await together(
    tx.sql,
    () => writeAcks(tx.sql, values),
    () => writeLastAcks(tx.sql, values),
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

const writeAcks = preparedText(
  () => tag`update messages m set ack = n.ack, fail_reason = n.reason, version = m.version + 1, waits = false, outbox = null
  from unnest(${given('ids')}::uuid[], ${given('acks')}::int[], ${given('reasons')}::text[]) as n (id, ack, reason)
  where m.company_id = ${given('companyId')} and m.id = n.id`,
)

const writeLastAcks = preparedText(
  () => tag`update tickets t set last_message_ack = lasts.ack, version = t.version + 1
  from (select l.id, n.ack from unnest(${given('ids')}::uuid[], ${given('ticketIds')}::int[], ${given('acks')}::int[])
      as n (id, ticket_id, ack) join tickets l on l.company_id = ${given('companyId')} and l.id = n.ticket_id
      and l.last_message_id = n.id order by l.id for update of l) lasts
  where t.company_id = ${given('companyId')} and t.id = lasts.id`,
)

/** Where and when messages were sent. */
export const placesOf = (tx: Tx, messageIds: string[]) =>
  tx.sql
    .select({ contactId: messages.contactId, whatsappId: messages.whatsappId, at: messages.createdAt })
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), inArray(messages.id, messageIds)))
