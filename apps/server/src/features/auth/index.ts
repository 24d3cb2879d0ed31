import type { Feature } from '../../platform/features.ts'
import { chore } from '../../platform/jobs.ts'
import { dropExpired } from './auth.queries.ts'
import { reacts } from './auth.reacts.ts'
import { routes } from './auth.routes.ts'

export const auth: Feature = {
  name: 'auth',
  routes,
  reacts,
  chores: [
    chore(
      'auth.dropExpired',
      '17 * * * *',
      async scopes => void (await scopes.platform().transaction(dropExpired)),
    ),
  ],
}
