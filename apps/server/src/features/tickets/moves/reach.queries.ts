import { and, eq, gt, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { findConnection } from '../../connections/connections.queries.ts'
import { findChat } from '../../contacts/contacts.queries.ts'
import { tickets } from '../tickets.table.ts'

/** Whether a connection can write to a contact: the official API reaches phone numbers and its own ids, no groups or LIDs. */
export async function reaches(tx: Tx, contactId: number, whatsappId: number): Promise<boolean> {
  const chat = await findChat(tx, contactId)
  if (!chat || (await findConnection(tx, whatsappId)).lib !== 'cloud') return chat !== null
  return [chat, chat.also].some(address => address?.kind === 'phone' || address?.kind === 'cloud')
}

/**
 * End of the customer service window of a contact on a connection; null where none applies. On the official API it is
 * 24 hours after the contact's last message there, which earlier tickets keep; without any, only templates may be sent.
 */
export async function repliesUntilOn(
  tx: Tx,
  contactId: number,
  whatsappId: number | null,
): Promise<string | null> {
  if (whatsappId === null || (await findConnection(tx, whatsappId)).lib !== 'cloud') return null
  const [known] = await tx.sql
    .select({ until: tag<string | null>`max(${tickets.repliesUntil})`.mapWith(tickets.repliesUntil) })
    .from(tickets)
    .where(onConnection(tx, contactId, whatsappId))
  return known?.until ?? new Date().toISOString()
}

/** Ends windows that were open at `at`, unless the contact wrote after it. Returns the ids of the tickets. */
export async function endWindows(tx: Tx, contactId: number, whatsappId: number, at: string) {
  const now = new Date().toISOString()
  const ended = await tx.sql
    .update(tickets)
    .set({ repliesUntil: now, version: tag`${tickets.version} + 1` })
    .where(
      and(
        onConnection(tx, contactId, whatsappId),
        gt(tickets.repliesUntil, now),
        tag`${tickets.repliesUntil} <= ${at}::timestamptz + interval '24 hours'`,
      ),
    )
    .returning({ id: tickets.id })
  return ended.map(({ id }) => id)
}

const onConnection = (tx: Tx, contactId: number, whatsappId: number) =>
  and(
    eq(tickets.companyId, tx.companyId),
    eq(tickets.contactId, contactId),
    eq(tickets.whatsappId, whatsappId),
  )
