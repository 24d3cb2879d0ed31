import type { Letter } from '../../platform/outbound/letter.ts'
import type { Tx } from '../../platform/scope.ts'
import { updateCompany } from '../companies/companies.queries.ts'
import { accountStatus } from '../companies/companies.status.queries.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { recipientsOf } from './billingNotices.recipients.queries.ts'
import { pausedLetter, restoredLetter, suspendedLetter } from './billingNotices.suspension.text.ts'

/** Writes to the recipients of a company that it is suspended, once for each suspension, and that it is not any more. */
export async function notifyOfSuspension(tx: Tx): Promise<void> {
  const { suspendedAt, suspensionNotified, pauseReason, pauseUntil } = await accountStatus(tx)
  if (suspendedAt === suspensionNotified) return
  await updateCompany(tx, { suspensionNotified: suspendedAt })
  if (suspendedAt === null) await writeToPayers(tx, `restored:${suspensionNotified}`, restoredLetter())
  else
    await writeToPayers(
      tx,
      `suspended:${suspendedAt}`,
      pauseReason === null ? suspendedLetter() : pausedLetter({ reason: pauseReason, until: pauseUntil }),
    )
}

/** Writes an e-mail to each recipient of the company, once for each cause. */
export async function writeToPayers(tx: Tx, cause: string, letter: Letter): Promise<void> {
  const addresses = new Set((await recipientsOf(tx)).map(({ email }) => email).filter(Boolean))
  for (const to of addresses) await writeMail(tx, { cause: `${cause}:${to}`, to, letter })
}
