import { LetterRefused } from '../../platform/outbound/mail.ts'
import { chore, job } from '../../platform/work/jobs.ts'
import { dropOldMails, waitingMail } from './mails.queries.ts'
import { settleMail } from './mails.worker.ts'

/** With backoff from one second these are about two hours, the longest outage of a mail server. */
const TRIES = 12

/** A crash between the server's answer and the row sends the e-mail again, with the same Message-ID. */
export const deliverMail = job<{ mailId: string }>(
  'mails.deliver',
  async (scope, { mailId }, { mail }) => {
    const waiting = await scope.read(tx => waitingMail(tx, mailId))
    if (!waiting) return
    try {
      await mail.send({ id: mailId, to: waiting.recipient, letter: waiting.letter, link: waiting.link })
    } catch (error) {
      if (!(error instanceof LetterRefused)) throw error
      return settleMail(scope, mailId, 'failed', error.message)
    }
    return settleMail(scope, mailId, 'sent')
  },
  { retries: TRIES, atOnce: 10, ofOne: 4 },
)

export const jobs = [
  deliverMail,
  chore(
    'mails.dropOld',
    '41 3 * * *',
    async scopes => void (await scopes.platform().transaction(dropOldMails)),
  ),
]
