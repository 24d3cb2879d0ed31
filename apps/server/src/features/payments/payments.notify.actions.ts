import { databaseTime } from '../../platform/clock.ts'
import type { Scopes } from '../../platform/scope.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { markNotified, mastersToNotify, unnotifiedReviews } from './payments.notify.queries.ts'
import { reviewLetter } from './payments.notify.text.ts'

/**
 * Writes to each master that payments wait in *Recebimentos a conferir*, once for each payment: an e-mail has the newest payment as its
 * cause, so one that is written again after a crash is the same.
 */
export async function notifyOfReviews(scopes: Scopes): Promise<void> {
  const platform = scopes.platform()
  const ids = await platform.transaction(unnotifiedReviews)
  if (ids.length === 0) return
  for (const { id, companyId, email: to } of await platform.transaction(mastersToNotify))
    await scopes
      .inCompany(companyId)
      .transaction(tx =>
        writeMail(tx, { cause: `review:${ids.at(-1)}:${id}`, to, letter: reviewLetter(ids.length) }),
      )
  await platform.transaction(sql => markNotified(sql, ids, databaseTime()))
}
