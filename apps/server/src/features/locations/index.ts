import type { Feature } from '../../platform/features.ts'
import { routes } from './locations.routes.ts'

export const locations: Feature = { name: 'locations', routes }
