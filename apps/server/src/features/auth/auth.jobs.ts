import type { Scopes } from '../../platform/scope.ts'
import { chore, eachByItself } from '../../platform/work/jobs.ts'
import { hoursEnded } from './auth.events.ts'
import { deleteSessionsOf, dropExpired, sessionsOutsideHours } from './auth.queries.ts'
import { dropOldTries } from './auth.tries.queries.ts'

export const jobs = [
  chore('auth.endOutsideHours', '* * * * *', endOutsideHours),
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

/** Ends the sessions of users whose hours to log in are over; their screens show the login at once. */
export async function endOutsideHours(scopes: Scopes) {
  const found = await scopes.platform().transaction(sessionsOutsideHours)
  await eachByItself(
    found,
    ({ companyId, userId }) =>
      scopes.inCompany(companyId).transaction(async tx => {
        await deleteSessionsOf(tx, userId, null)
        tx.emit(hoursEnded, { userId })
        tx.note('the hours in which a user may log in are over', { userId })
      }),
    'sessions outside hours',
  )
}
