import type { Readable } from 'node:stream'
import { Refusal } from '../../platform/errors.ts'
import type { Files } from '../../platform/files/files.ts'
import { LetterRefused } from '../../platform/outbound/mail.ts'
import { chore, job } from '../../platform/work/jobs.ts'
import { dropOldMails, waitingMail } from './mails.queries.ts'
import { settleMail } from './mails.worker.ts'

/** Throws LetterRefused where the file is gone: its time is over, or the company removed it. */
const attached = (files: Files, companyId: number, key: string) =>
  files.open(companyId, key).catch((error: unknown) => {
    throw error instanceof Refusal ? new LetterRefused(error.message, { cause: error }) : error
  })

/** With backoff from one second these are about two hours, the longest outage of a mail server. */
const TRIES = 12

/** A crash between the server's answer and the row sends the e-mail again, with the same Message-ID. */
export const deliverMail = job<{ mailId: string }>(
  'mails.deliver',
  async (scope, { mailId }, { mail, files }) => {
    const waiting = await scope.read(tx => waitingMail(tx, mailId))
    if (!waiting) return
    const { recipient: to, letter, link } = waiting
    const key = letter.file?.key
    let file: Readable | undefined
    try {
      if (key) file = (await attached(files, scope.companyId, key)).stream
      await mail.send({ id: mailId, to, letter, link, ...(file && { file }) })
    } catch (error) {
      if (!(error instanceof LetterRefused)) throw error
      return settleMail(scope, mailId, 'failed', error.message)
    } finally {
      // a server that is away reads nothing of it
      file?.destroy()
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
