import type { Feature } from '../../platform/features.ts'
import { carriedOfAvailability } from './availability.carried.queries.ts'
import { live } from './availability.live.ts'
import { spellsLifetime } from './availability.queries.ts'
import { routes } from './availability.routes.ts'

export const availability: Feature = {
  name: 'availability',
  routes,
  jobs: [...carriedOfAvailability, spellsLifetime],
  live,
}
