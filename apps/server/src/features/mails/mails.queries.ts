import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, sql as tag } from '../../platform/sql.ts'
import { mails } from './mails.table.ts'

/** A letter that still has to leave; null when it left, or is not wanted any more. */
export async function waitingMail(tx: Tx, mailId: string) {
  const [mail] = await tx.sql
    .select()
    .from(mails)
    .where(and(eq(mails.companyId, tx.companyId), eq(mails.id, mailId), eq(mails.state, 'waiting')))
  return mail ?? null
}

/** How many letters of such causes were written in the last hour; `%` stands for anything. */
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

/** What was written to people is not kept longer than anybody may ask about it. */
export const dropOldMails = (sql: Sql) =>
  sql.delete(mails).where(tag`${mails.createdAt} < now() - interval '30 days'`)
