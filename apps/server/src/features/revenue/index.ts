import type { Feature } from '../../platform/features.ts'
import { routes } from './revenue.routes.ts'

export const revenue: Feature = { name: 'revenue', routes }
