import type { Feature } from '../../platform/features.ts'
import { routes } from './businessHours.routes.ts'

export const businessHours: Feature = { name: 'businessHours', routes }
