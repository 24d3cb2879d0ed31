import type { Feature } from '../../platform/features.ts'
import { carriedOfTerms } from './terms.carried.queries.ts'
import { routes } from './terms.routes.ts'

export const terms: Feature = { name: 'terms', routes, jobs: carriedOfTerms }
