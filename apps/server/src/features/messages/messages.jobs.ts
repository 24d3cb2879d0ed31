import { chore } from '../../platform/work/jobs.ts'
import { type CountedTicket, countFailedMessages } from './outbox/failed.queries.ts'

/**
 * Recounts the failed messages of living tickets each night. A trigger keeps the count; this finds what failed before the
 * trigger existed.
 */
export const countFailed = chore('messages.countFailed', '41 2 * * *', async scopes => {
  let last: CountedTicket | undefined = { companyId: 0, id: 0 }
  while (last) {
    const after: CountedTicket = last
    last = await scopes.platform().transaction(sql => countFailedMessages(sql, after))
  }
})

export const jobs = [countFailed]
