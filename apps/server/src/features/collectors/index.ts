import type { Feature } from '../../platform/features.ts'
import { carriedOfCollectors } from './collectors.carried.queries.ts'
import { routes } from './collectors.routes.ts'
import { sealedOfCollectors } from './collectors.table.ts'

export const collectors: Feature = {
  name: 'collectors',
  routes,
  jobs: [...sealedOfCollectors, ...carriedOfCollectors],
}
