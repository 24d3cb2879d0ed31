import { FAILED, WAITING } from '@balcao/contract/messages.rules.ts'
import type { Sql } from '../../platform/db.ts'
import type { Scopes, Tx } from '../../platform/scope.ts'
import { and, eq, rowsFrom, sql as tag } from '../../platform/sql.ts'
import { mails } from '../mails/mails.table.ts'
import { mailCauseOf, noticeOf, settleNotice } from './billingNotices.send.ts'

/** So many are looked at before it is looked again. */
const AT_ONCE = 100

/** A letter left, or its server will never take it. */
export async function hearOfMail(tx: Tx, cause: string): Promise<void> {
  const id = noticeOf(cause)
  if (id === null) return
  const [mail] = await tx.sql
    .select({ state: mails.state, reason: mails.reason })
    .from(mails)
    .where(and(eq(mails.companyId, tx.companyId), eq(mails.cause, mailCauseOf(id))))
  if (mail?.state === 'sent') await settleNotice(tx, id, { state: 'sent', sentAt: new Date().toISOString() })
  if (mail?.state === 'failed') await settleNotice(tx, id, { state: 'failed', reason: mail.reason })
}

/** What became of messages in the company of the centre, which a company that is reminded cannot see. */
export async function settleSpoken(scopes: Scopes): Promise<boolean> {
  const platform = scopes.platform()
  const told = await platform.transaction(spokenOf)
  for (const { companyId, id, ack, reason } of told)
    await platform
      .inCompany(companyId)
      .transaction(tx =>
        settleNotice(
          tx,
          id,
          ack === FAILED ? { state: 'failed', reason } : { state: 'sent', sentAt: new Date().toISOString() },
        ),
      )
  return told.length === AT_ONCE
}

const spokenOf = (sql: Sql) =>
  rowsFrom<{ companyId: number; id: string; ack: number; reason: string }>(
    sql,
    tag`select n.company_id as "companyId", n.id, m.ack, m.fail_reason as reason
      from billing_notices n join messages m on m.company_id = n.centre_id and m.id = n.id
      where n.state = 'leaving' and n.platform = 'wpp' and m.ack <> ${WAITING} limit ${AT_ONCE}`,
  )
