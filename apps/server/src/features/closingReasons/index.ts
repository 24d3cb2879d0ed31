import type { Feature } from '../../platform/features.ts'
import { carriedOfClosingReasons } from './closingReasons.carried.queries.ts'
import { live } from './closingReasons.live.ts'
import { reacts } from './closingReasons.reacts.ts'
import { routes } from './closingReasons.routes.ts'

export const closingReasons: Feature = {
  name: 'closingReasons',
  routes,
  live,
  reacts,
  jobs: carriedOfClosingReasons,
}
