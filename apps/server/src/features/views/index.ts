import type { Feature } from '../../platform/features.ts'
import { carriedOfViews } from './views.carried.queries.ts'
import { live } from './views.live.ts'
import { reacts } from './views.reacts.ts'
import { routes } from './views.routes.ts'

export const views: Feature = { name: 'views', routes, live, reacts, jobs: carriedOfViews }
