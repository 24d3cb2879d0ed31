import type { Sql } from '../../platform/postgres/db.ts'
import type { Tx } from '../../platform/scope.ts'
import type { Jobs } from '../../platform/work/jobs.ts'
import { deliverMail } from './mails.jobs.ts'
import { insertMail, type NewMail } from './mails.queries.ts'

/** Writes an e-mail that is sent after the commit; one per cause. */
export async function writeMail(tx: Tx, mail: NewMail) {
  const mailId = await insertMail(tx.sql, tx.companyId, mail)
  if (mailId) await tx.enqueue(deliverMail, { mailId })
}

/** The same for a company that is created in this transaction of the platform. */
export async function writeFirstMail(sql: Sql, jobs: Jobs, companyId: number, mail: NewMail) {
  const mailId = await insertMail(sql, companyId, mail)
  if (mailId) await jobs.enqueue(sql, companyId, deliverMail, { mailId })
}
