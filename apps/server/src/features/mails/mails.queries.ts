import type { Link } from '../../platform/access/links.ts'
import type { Letter } from '../../platform/outbound/letter.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, ne, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { mails } from './mails.table.ts'

export interface NewMail {
  cause: string
  to: string
  letter: Letter
  link?: Link | null
}

/** Answers its id; null where the cause has one already. */
export async function insertMail(sql: Sql, companyId: number, { cause, to, letter, link = null }: NewMail) {
  const [mail] = await sql
    .insert(mails)
    .values({ companyId, cause, recipient: to, letter, link })
    .onConflictDoNothing()
    .returning({ id: mails.id })
  return mail?.id ?? null
}

/** Deletes an e-mail that is not wanted any more. */
export const forgetMail = (tx: Tx, cause: string) =>
  tx.sql.delete(mails).where(and(eq(mails.companyId, tx.companyId), eq(mails.cause, cause)))

/** Cancels the waiting e-mails of matching causes (`like`); they stay counted. */
export const forgetMails = (tx: Tx, causes: string) =>
  tx.sql
    .update(mails)
    .set({ state: 'failed', reason: 'no longer wanted' })
    .where(
      and(eq(mails.companyId, tx.companyId), tag`${mails.cause} like ${causes}`, eq(mails.state, 'waiting')),
    )

/** An e-mail that is not sent yet; null when it was sent, or is not wanted any more. */
export async function waitingMail(tx: Tx, mailId: string) {
  const [mail] = await tx.sql
    .select()
    .from(mails)
    .where(and(eq(mails.companyId, tx.companyId), eq(mails.id, mailId), eq(mails.state, 'waiting')))
  return mail ?? null
}

/** How many e-mails of matching causes (`like`) were written in the last hour. */
export async function countRecentMails(tx: Tx, causes: string): Promise<number> {
  const [row] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(mails)
    .where(
      and(
        eq(mails.companyId, tx.companyId),
        tag`${mails.cause} like ${causes}`,
        tag`${mails.createdAt} > now() - interval '1 hour'`,
      ),
    )
  return row?.count ?? 0
}

/** E-mails are kept for 30 days, for questions about them. */
export const dropOldMails = (sql: Sql) =>
  sql.delete(mails).where(tag`${mails.createdAt} < now() - interval '30 days'`)

/** Deletes the e-mails of a deleted recipient, except those that wait. */
export const forgetLetters = (tx: Tx, recipient: string) =>
  tx.sql
    .delete(mails)
    .where(and(eq(mails.companyId, tx.companyId), eq(mails.recipient, recipient), ne(mails.state, 'waiting')))

/** Answers the cause; null where it does not wait any more. */
export async function settleWaitingMail(tx: Tx, mailId: string, state: 'sent' | 'failed', reason: string) {
  const [mail] = await tx.sql
    .update(mails)
    .set({ state, reason })
    .where(and(eq(mails.companyId, tx.companyId), eq(mails.id, mailId), eq(mails.state, 'waiting')))
    .returning({ cause: mails.cause })
  return mail ?? null
}

export async function mailOfCause(tx: Tx, cause: string) {
  const [mail] = await tx.sql
    .select({ state: mails.state, reason: mails.reason })
    .from(mails)
    .where(and(eq(mails.companyId, tx.companyId), eq(mails.cause, cause)))
  return mail ?? null
}
