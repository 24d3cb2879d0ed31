import type { Feature } from '../../platform/features.ts'
import { routes } from './reports.routes.ts'

export const reports: Feature = { name: 'reports', routes }
