import type { Letter } from '../../platform/outbound/letter.ts'
import { chore, job } from '../../platform/work/jobs.ts'
import { offerReset } from './accounts.actions.ts'
import { dropOldLinks } from './accounts.queries.ts'

export const forgotten = job<{ userId: number | null; language: Letter['language'] }>(
  'accounts.forgotten',
  async (scope, { userId, language }) => {
    if (userId !== null) await offerReset(scope, userId, language, scope.requestId)
  },
  // requests are anonymous: more are done in a minute than the rate limit lets in
  { atOnce: 10, ofOne: 5 },
)

export const jobs = [
  forgotten,
  chore(
    'accounts.dropOldLinks',
    '23 * * * *',
    async scopes => void (await scopes.platform().transaction(dropOldLinks)),
  ),
]
