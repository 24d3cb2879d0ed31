import { chore, eachByItself } from '../../platform/work/jobs.ts'
import { allCompanies, countMessagesOf } from './systemControl.overview.queries.ts'

/** Each night, for *Installation*: one company after the other, by an index alone. */
export const countMessages = chore('systemControl.countMessages', '23 3 * * *', async scopes => {
  const platform = scopes.platform()
  const count = ({ id }: { id: number }) => platform.transaction(sql => countMessagesOf(sql, id))
  await eachByItself(await platform.transaction(allCompanies), count, 'to count the messages of a company')
})
