import type { Link } from '../../platform/links.ts'
import type { Letter } from '../../platform/mail.letter.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { deliverMail } from './mails.jobs.ts'
import { mails } from './mails.table.ts'

/** A letter that leaves once this transaction stands; a cause that has written one writes no other. */
export async function writeMail(
  tx: Tx,
  { cause, to, letter, link = null }: { cause: string; to: string; letter: Letter; link?: Link | null },
) {
  const [mail] = await tx.sql
    .insert(mails)
    .values({ companyId: tx.companyId, cause, recipient: to, letter, link })
    .onConflictDoNothing()
    .returning({ id: mails.id })
  if (mail) await tx.enqueue(deliverMail, { mailId: mail.id })
}

/** A letter that nobody should get any more, as far as it has not left. */
export const forgetMail = (tx: Tx, cause: string) =>
  tx.sql.delete(mails).where(and(eq(mails.companyId, tx.companyId), eq(mails.cause, cause)))
