import { chore } from '../../platform/work/jobs.ts'
import { dropExpired } from './auth.queries.ts'
import { dropOldTries } from './auth.tries.queries.ts'

export const jobs = [
  chore(
    'auth.dropExpired',
    '17 * * * *',
    async scopes => void (await scopes.platform().transaction(dropExpired)),
  ),
  chore(
    'auth.dropOldTries',
    '19 * * * *',
    async scopes => void (await scopes.platform().transaction(dropOldTries)),
  ),
]
