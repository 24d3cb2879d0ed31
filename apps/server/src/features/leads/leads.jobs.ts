import type { Letter } from '../../platform/outbound/letter.ts'
import { LetterRefused } from '../../platform/outbound/mail.ts'
import { chore, job } from '../../platform/work/jobs.ts'
import { dropOldLeads } from './leads.queries.ts'
import { invitingLetter, knownLetter } from './leads.text.ts'

/** With backoff from one second these are about two hours, the longest outage of a mail server. */
const TRIES = 12

interface Asked {
  key: string
  email: string
  language: Letter['language']
  /** The address has an account already. */
  hasAccount: boolean
}

/** The e-mail to who asked for a plan. A crash between the server's answer and the end of the job sends it again, with the same id. */
export const leadLetter = job<Asked>(
  'leads.letter',
  async ({ requestId }, { key, email, language, hasAccount }, { mail }) => {
    const letter = hasAccount ? knownLetter(language) : invitingLetter(language)
    const link = hasAccount ? null : { purpose: 'lead' as const, id: key }
    try {
      await mail.send({ id: requestId, to: email, letter, link })
    } catch (error) {
      // an address that does not exist: its lead ends by itself
      if (!(error instanceof LetterRefused)) throw error
    }
  },
  { retries: TRIES, atOnce: 10, ofOne: 5 },
)

export const jobs = [
  leadLetter,
  chore(
    'leads.dropOld',
    '47 3 * * *',
    async scopes => void (await scopes.platform().transaction(dropOldLeads)),
  ),
]
