import type { Scope } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { mailSettled } from './mails.events.ts'
import { mails } from './mails.table.ts'

/** Writes down what became of a letter. */
export const settleMail = (scope: Scope, mailId: string, state: 'sent' | 'failed', reason = '') =>
  scope.transaction(async tx => {
    const [mail] = await tx.sql
      .update(mails)
      .set({ state, reason })
      .where(and(eq(mails.companyId, tx.companyId), eq(mails.id, mailId), eq(mails.state, 'waiting')))
      .returning({ cause: mails.cause })
    if (!mail) return
    tx.note(state === 'sent' ? 'a letter left' : 'a letter was refused for ever', { mailId })
    await tx.involve(mailSettled, mail)
  })
