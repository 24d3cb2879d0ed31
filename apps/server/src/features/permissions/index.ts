import type { Feature } from '../../platform/features.ts'
import { live } from './permissions.live.ts'
import { routes } from './permissions.routes.ts'

export const permissions: Feature = { name: 'permissions', routes, live }
