import type { Feature } from '../../platform/features.ts'
import { carriedOfSecretUses } from './secretUses.carried.queries.ts'
import { secretUsesLifetime } from './secretUses.queries.ts'
import { routes } from './secretUses.routes.ts'

export const secretUses: Feature = {
  name: 'secretUses',
  routes,
  jobs: [...carriedOfSecretUses, secretUsesLifetime],
}
