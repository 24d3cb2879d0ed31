import { chore, job } from '../../platform/jobs.ts'
import { LetterRefused } from '../../platform/mail.ts'
import { dropOldMails, waitingMail } from './mails.queries.ts'
import { settleMail } from './mails.settle.ts'

/** With pauses that double from a second these are some two hours: so long may a mail server be away. */
const TRIES = 12

/** Between the server's yes and the row a crash sends a letter again: under the same Message-ID. */
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
  { retries: TRIES, atOnce: 5 },
)

export const jobs = [deliverMail]

export const chores = [
  chore(
    'mails.dropOld',
    '41 3 * * *',
    async scopes => void (await scopes.platform().transaction(dropOldMails)),
  ),
]
