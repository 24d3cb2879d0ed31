import type { Scope } from '../../platform/scope.ts'
import { mailSettled } from './mails.events.ts'
import { settleWaitingMail } from './mails.queries.ts'

/** Records the outcome of an e-mail; does nothing when it is recorded already. */
export const settleMail = (scope: Scope, mailId: string, state: 'sent' | 'failed', reason = '') =>
  scope.transaction(async tx => {
    const mail = await settleWaitingMail(tx, mailId, state, reason)
    if (!mail) return
    tx.note(state === 'sent' ? 'a letter left' : 'a letter was refused for ever', { mailId })
    await tx.involve(mailSettled, mail)
  })
