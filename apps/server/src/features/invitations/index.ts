import type { Feature } from '../../platform/features.ts'
import { chore } from '../../platform/work/jobs.ts'
import { live } from './invitations.live.ts'
import { dropOldInvitations } from './invitations.queries.ts'
import { reacts } from './invitations.reacts.ts'
import { routes } from './invitations.routes.ts'

export const invitations: Feature = {
  name: 'invitations',
  routes,
  live,
  reacts,
  jobs: [
    chore(
      'invitations.dropOld',
      '47 3 * * *',
      async scopes => void (await scopes.platform().transaction(dropOldInvitations)),
    ),
  ],
}
