import type { Feature } from '../../platform/features.ts'
import { live } from './plans.live.ts'
import { routes } from './plans.routes.ts'

export const plans: Feature = { name: 'plans', routes, live }
