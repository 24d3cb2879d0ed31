import type { Feature } from '../../platform/features.ts'
import { routes } from './team.routes.ts'

export const team: Feature = { name: 'team', routes }
