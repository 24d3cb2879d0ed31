import type { Feature } from '../../platform/features.ts'
import { carriedOfOptOuts } from './optOuts.carried.queries.ts'
import { live } from './optOuts.live.ts'
import { choicesLifetime } from './optOuts.queries.ts'
import { reacts } from './optOuts.reacts.ts'
import { routes } from './optOuts.routes.ts'

export const optOuts: Feature = {
  name: 'optOuts',
  routes,
  live,
  reacts,
  jobs: [...carriedOfOptOuts, choicesLifetime],
}
