import { FAILED, WAITING } from '@balcao/contract/messages.rules.ts'
import type { PublicStatus, SentState } from '@balcao/contract/publicApi.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { insertingAll } from '../../platform/postgres/prepared.ts'
import { and, asc, eq, isNotNull, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { messages } from '../messages/messages.table.ts'
import { apiSends } from './publicApi.table.ts'

export type ApiSendRow = typeof apiSends.$inferSelect

const DAY = tag`interval '24 hours'`

/**
 * Writes a send down; null when it is the first of its key, else the one that came before. Of two at once the second
 * waits here for the first.
 */
export async function claimSend(
  tx: Tx,
  values: Pick<ApiSendRow, 'id' | 'tokenId' | 'userId' | 'asked'> & { key: string },
): Promise<ApiSendRow | null> {
  const { tokenId, key } = values
  await tx.sql
    .update(apiSends)
    .set({ key: null })
    .where(and(ofKey(tx, tokenId, key), tag`${apiSends.createdAt} <= now() - ${DAY}`))
  const [claimed] = await tx.sql
    .insert(apiSends)
    .values({ ...values, companyId: tx.companyId })
    .onConflictDoNothing()
    .returning({ id: apiSends.id })
  return claimed ? null : sendOfKey(tx, tokenId, key)
}

const insertSends = insertingAll(apiSends)

/** Records calls without a key, and further messages, with their answers. */
export const keepSends = (
  tx: Tx,
  sends: Pick<ApiSendRow, 'id' | 'tokenId' | 'userId' | 'asked' | 'answer' | 'destroys'>[],
) =>
  insertSends(
    tx.sql,
    sends.map(send => ({ ...send, companyId: tx.companyId })),
  )

/** What a token sent under a key within a day. */
export async function sendOfKey(tx: Tx, tokenId: number, key: string): Promise<ApiSendRow | null> {
  const [row] = await tx.sql
    .select()
    .from(apiSends)
    .where(and(ofKey(tx, tokenId, key), tag`${apiSends.createdAt} > now() - ${DAY}`))
  return row ?? null
}

const ofKey = (tx: Tx, tokenId: number, key: string) =>
  and(eq(apiSends.companyId, tx.companyId), eq(apiSends.tokenId, tokenId), eq(apiSends.key, key))

/** What was answered, and the ticket that goes when all has left. */
export const settleSend = (tx: Tx, id: string, values: Pick<ApiSendRow, 'answer' | 'destroys'>) =>
  tx.sql.update(apiSends).set(values).where(own(tx, id))

/** A message that this token sent. Refuses with ERR_NOT_FOUND. */
export async function statusOf(tx: Tx, tokenId: number, messageId: string): Promise<PublicStatus> {
  const [row] = await tx.sql
    .select({
      answer: apiSends.answer,
      ack: tag<number | null>`coalesce(${messages.ack}, ${apiSends.ack})`,
      isDeleted: messages.isDeleted,
      reason: messages.failReason,
    })
    .from(apiSends)
    .leftJoin(messages, and(eq(messages.companyId, apiSends.companyId), eq(messages.id, apiSends.id)))
    .where(and(own(tx, messageId), eq(apiSends.tokenId, tokenId)))
  if (!row?.answer) return refuse('ERR_NOT_FOUND', { field: 'messageId' })
  return {
    messageId,
    status: sentStateOf(row.ack, row.isDeleted ?? false),
    reason: row.reason ?? '',
    ticketProtocol: row.answer.ticketProtocol,
  }
}

const states: SentState[] = ['failed', 'waiting', 'sent', 'delivered', 'read']
/** The state of a message, as programs see it. */
export const sentStateOf = (ack: number | null, isDeleted: boolean): SentState =>
  isDeleted || ack === null ? 'deleted' : (states[ack] ?? 'read')

/** Sends of all companies whose ticket goes: nothing in it waits to leave. */
export const destroyable = (sql: Sql, limit: number, passed: number[] = []) =>
  sql
    .select({ companyId: apiSends.companyId, id: apiSends.id, ticketId: tag<number>`${apiSends.destroys}` })
    .from(apiSends)
    .where(
      and(
        isNotNull(apiSends.destroys),
        outside(apiSends.companyId, passed),
        tag`not exists (select from ${messages} m where m.company_id = ${apiSends.companyId}
          and m.ticket_id = ${apiSends.destroys} and m.from_me and m.ack = ${WAITING})`,
      ),
    )
    .orderBy(asc(apiSends.createdAt))
    .limit(limit)

/** The ticket holds only messages of this call: no answer, and no failure. */
export async function isUntouched(tx: Tx, ticketId: number): Promise<boolean> {
  const [row] = await tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        tag`(${messages.source} <> 'api' or ${messages.ack} = ${FAILED})`,
      ),
    )
    .limit(1)
  return row === undefined
}

/** The states of messages that are deleted with a ticket, for later queries. */
export const keepAcks = (tx: Tx, ticketId: number) =>
  tx.sql
    .update(apiSends)
    .set({ ack: messages.ack })
    .from(messages)
    .where(
      and(
        eq(apiSends.companyId, tx.companyId),
        eq(messages.companyId, apiSends.companyId),
        eq(messages.id, apiSends.id),
        eq(messages.ticketId, ticketId),
      ),
    )

/** Its ticket is gone, or stays. */
export const keepTicket = (tx: Tx, id: string) =>
  tx.sql.update(apiSends).set({ destroys: null }).where(own(tx, id))

/** What is asked about so late is known nowhere any more. */
export const forgetSends = (sql: Sql) =>
  sql.delete(apiSends).where(tag`${apiSends.createdAt} < now() - interval '90 days'`)

const own = (tx: Tx, id: string) => and(eq(apiSends.companyId, tx.companyId), eq(apiSends.id, id))

/** A call that is repeated is answered as before, but for who is forgotten. */
export const forgetAnswers = (tx: Tx, ticketIds: number[]) =>
  tx.sql.execute(tag`
    update ${apiSends} s set answer = s.answer || '{"contactName": "", "contactNumber": "", "number": ""}'
    from messages m where s.company_id = ${tx.companyId} and m.company_id = ${tx.companyId} and m.id = s.id
      and m.ticket_id = any(${`{${ticketIds}}`}::int[]) and s.answer is not null`)
