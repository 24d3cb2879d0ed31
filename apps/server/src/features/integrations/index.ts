import type { Feature } from '../../platform/features.ts'
import { routes } from './integrations.routes.ts'

export const integrations: Feature = { name: 'integrations', routes }
