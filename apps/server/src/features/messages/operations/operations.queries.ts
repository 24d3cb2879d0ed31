import type { Mentioned } from '../../../driver.content.ts'
import { given, prepared } from '../../../platform/postgres/prepared.ts'
import { and, asc, eq, not, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { fromNow } from '../../../platform/work/leases.ts'
import { contacts } from '../../contacts/contacts.table.ts'
import { messageOperations, messages } from '../messages.table.ts'
import { BATCH, isNotSuspended, millisecondsUntil, recipient } from '../outbox/outbox.queries.ts'

export interface OperationRow {
  id: number
  messageId: string
  what: 'delete' | 'edit' | 'react' | 'pin'
  value: string
  mentions: Mentioned[] | null
  userId: number | null
}

const row = {
  id: messageOperations.id,
  messageId: messageOperations.messageId,
  what: messageOperations.what,
  value: messageOperations.value,
  mentions: messageOperations.mentions,
  userId: messageOperations.userId,
}

const itsMessage = and(
  eq(messages.companyId, messageOperations.companyId),
  eq(messages.id, messageOperations.messageId),
)

/** Operations that wait on a connection, in their order, without the chats that are busy. Empty for a suspended company. */
export const pendingOperations = (tx: Tx, whatsappId: number, without: number[]) =>
  pending(tx.sql, { companyId: tx.companyId, whatsappId, without: `{${without}}` })

const pending = prepared(sql =>
  sql
    .select({
      ...row,
      attempts: messageOperations.attempts,
      tries: messageOperations.tries,
      dueIn: millisecondsUntil(messageOperations.dueAt),
      contactId: messages.contactId,
      message: {
        externalId: messages.externalId,
        fromMe: messages.fromMe,
        author: messages.author,
        ack: messages.ack,
      },
      contact: recipient,
    })
    .from(messageOperations)
    .innerJoin(messages, itsMessage)
    .innerJoin(contacts, and(eq(contacts.companyId, messages.companyId), eq(contacts.id, messages.contactId)))
    .where(
      and(
        eq(messageOperations.companyId, given('companyId')),
        eq(messageOperations.whatsappId, given('whatsappId')),
        not(messages.waits),
        tag`${messages.contactId} <> all(${given('without')}::int[])`,
        isNotSuspended,
      ),
    )
    .orderBy(asc(messageOperations.id))
    .limit(BATCH),
)

/** Operations that wait for messages of a contact, in their order. */
export const operationsOfContact = (tx: Tx, contactId: number): Promise<OperationRow[]> =>
  tx.sql
    .select(row)
    .from(messageOperations)
    .innerJoin(messages, itsMessage)
    .where(and(eq(messageOperations.companyId, tx.companyId), eq(messages.contactId, contactId)))
    .orderBy(messageOperations.id)

export const insertOperation = (
  tx: Tx,
  operation: Pick<
    typeof messageOperations.$inferInsert,
    'whatsappId' | 'messageId' | 'what' | 'value' | 'mentions' | 'userId'
  >,
) => tx.sql.insert(messageOperations).values({ companyId: tx.companyId, ...operation })

export const deleteOperation = (tx: Tx, id: number) =>
  tx.sql
    .delete(messageOperations)
    .where(and(eq(messageOperations.companyId, tx.companyId), eq(messageOperations.id, id)))

/** Removes a reaction or a pin that waits: a newer one replaces it. */
export const deleteWaiting = (tx: Tx, messageId: string, what: 'react' | 'pin') =>
  tx.sql
    .delete(messageOperations)
    .where(
      and(
        eq(messageOperations.companyId, tx.companyId),
        eq(messageOperations.messageId, messageId),
        eq(messageOperations.what, what),
      ),
    )

/** Schedules the next try of an operation that failed. */
export const postponeOperation = (tx: Tx, id: number, tries: number, inMs: number) =>
  tx.sql
    .update(messageOperations)
    .set({ attempts: tag`${messageOperations.attempts} + 1`, tries, dueAt: fromNow(inMs) })
    .where(and(eq(messageOperations.companyId, tx.companyId), eq(messageOperations.id, id)))
