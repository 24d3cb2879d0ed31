import type { Feature } from '../../platform/features.ts'
import { carriedOfIntegrations } from './integrations.carried.queries.ts'
import { routes } from './integrations.routes.ts'
import { sealedOfIntegrations } from './integrations.table.ts'

export const integrations: Feature = {
  name: 'integrations',
  routes,
  jobs: [...sealedOfIntegrations, ...carriedOfIntegrations],
}
