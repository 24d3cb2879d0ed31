import type { Sql } from '../../platform/db.ts'
import type { Jobs } from '../../platform/jobs.ts'
import type { Link } from '../../platform/links.ts'
import type { Letter } from '../../platform/mail.letter.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { deliverMail } from './mails.jobs.ts'
import { mails } from './mails.table.ts'

interface NewMail {
  cause: string
  to: string
  letter: Letter
  link?: Link | null
}

/** A letter that leaves once this transaction stands; a cause that has written one writes no other. */
export async function writeMail(tx: Tx, mail: NewMail) {
  const mailId = await keepMail(tx.sql, tx.companyId, mail)
  if (mailId) await tx.enqueue(deliverMail, { mailId })
}

/** The same for a company that is founded in this transaction of the platform. */
export async function writeFirstMail(sql: Sql, jobs: Jobs, companyId: number, mail: NewMail) {
  const mailId = await keepMail(sql, companyId, mail)
  if (mailId) await jobs.enqueue(sql, companyId, deliverMail, { mailId })
}

async function keepMail(sql: Sql, companyId: number, { cause, to, letter, link = null }: NewMail) {
  const [mail] = await sql
    .insert(mails)
    .values({ companyId, cause, recipient: to, letter, link })
    .onConflictDoNothing()
    .returning({ id: mails.id })
  return mail?.id ?? null
}

/** A letter that nobody should get any more, as far as it has not left. */
export const forgetMail = (tx: Tx, cause: string) =>
  tx.sql.delete(mails).where(and(eq(mails.companyId, tx.companyId), eq(mails.cause, cause)))
