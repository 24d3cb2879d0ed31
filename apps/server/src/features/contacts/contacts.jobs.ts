import { chore } from '../../platform/work/jobs.ts'
import { foldSomeContacts } from './contacts.words.queries.ts'

/** Fills the words of contacts that an earlier version wrote: some thousand rows a commit, until there are none. */
export const foldWords = chore('contacts.foldWords', '* * * * *', async scopes => {
  let folded = true
  while (folded) folded = await scopes.platform().transaction(foldSomeContacts)
})

export const jobs = [foldWords]
