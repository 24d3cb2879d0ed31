import type { Feature } from '../../platform/features.ts'
import { carriedOfContacts } from './contacts.carried.queries.ts'
import { jobs } from './contacts.jobs.ts'
import { live } from './contacts.live.ts'
import { reacts } from './contacts.reacts.ts'
import { routes } from './contacts.routes.ts'
import { lateContactIndexes } from './contacts.table.ts'

export const contacts: Feature = {
  name: 'contacts',
  routes,
  live,
  reacts,
  jobs: [...jobs, ...lateContactIndexes, ...carriedOfContacts],
}
