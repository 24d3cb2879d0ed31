import { and, eq, inArray, rowsFrom, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { tickets } from '../../tickets/tickets.table.ts'
import { inboundEvents } from '../messages.log.table.ts'
import { messages } from '../messages.table.ts'

/** The messages of a contact become another's. */
export const moveToContact = (tx: Tx, from: number, into: number) =>
  tx.sql
    .update(messages)
    .set({ contactId: into })
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.contactId, from)))

/** The messages of a contact's tickets become the contact's. */
export const followTickets = (tx: Tx, contactId: number) =>
  tx.sql.execute(tag`update ${messages} m set contact_id = t.contact_id from ${tickets} t
    where t.company_id = ${tx.companyId} and t.contact_id = ${contactId}
      and m.company_id = t.company_id and m.ticket_id = t.id and m.contact_id <> t.contact_id`)

/** Messages of these contacts that were received since `at`, with their events in the raw log, by position. */
export const receivedSince = (tx: Tx, contactIds: number[], at: string) =>
  tx.sql
    .select({
      id: messages.id,
      ticketId: messages.ticketId,
      whatsappId: inboundEvents.whatsappId,
      fromMe: messages.fromMe,
      createdAt: messages.createdAt,
      shownWith: messages.contactId,
      event: inboundEvents.event,
    })
    .from(messages)
    .innerJoin(
      inboundEvents,
      and(
        eq(inboundEvents.companyId, messages.companyId),
        eq(inboundEvents.whatsappId, messages.whatsappId),
        tag`${inboundEvents.key} = 'm ' || ${messages.fromMe}::int || ' ' || ${messages.externalId} || ' '`,
      ),
    )
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        inArray(messages.contactId, contactIds),
        tag`${inboundEvents.receivedAt} >= ${at}::timestamptz`,
      ),
    )
    .orderBy(messages.position)

/** Whether a ticket was opened since `at` and holds no customer message but these. */
export async function holdsOnly(
  tx: Tx,
  ticketId: number,
  messageIds: string[],
  at: string,
): Promise<boolean> {
  const [row] = await rowsFrom<{ is_all: boolean }>(
    tx.sql,
    tag`
    select t.created_at >= ${at}::timestamptz and not exists (select from ${messages} m
      where m.company_id = t.company_id and m.ticket_id = t.id and not m.from_me
        and m.id <> all(${`{${messageIds}}`}::uuid[])) as is_all
    from ${tickets} t where t.company_id = ${tx.companyId} and t.id = ${ticketId}`,
  )
  return row!.is_all
}

/** Moves messages to another ticket and contact. */
export const moveToTicket = (
  tx: Tx,
  messageIds: string[],
  { ticketId, contactId }: { ticketId: number; contactId: number },
) =>
  tx.sql
    .update(messages)
    .set({ ticketId, contactId, version: tag`${messages.version} + 1` })
    .where(and(eq(messages.companyId, tx.companyId), inArray(messages.id, messageIds)))
