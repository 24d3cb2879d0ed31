import { chore, job } from '../../platform/jobs.ts'
import type { Letter } from '../../platform/mail.letter.ts'
import { LetterRefused } from '../../platform/mail.ts'
import { dropOldLeads } from './leads.queries.ts'
import { invitingLetter, knownLetter } from './leads.text.ts'

/** With pauses that double from a second these are some two hours: so long may a mail server be away. */
const TRIES = 12

interface Asked {
  key: string
  email: string
  language: Letter['language']
  /** Somebody logs in with this address already. */
  hasAccount: boolean
}

/** The letter to who asked for a plan. Between the server's yes and the end of the job a crash sends it again, under the same id. */
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
  { retries: TRIES, atOnce: 5 },
)

export const jobs = [leadLetter]

export const chores = [
  chore(
    'leads.dropOld',
    '47 3 * * *',
    async scopes => void (await scopes.platform().transaction(dropOldLeads)),
  ),
]
