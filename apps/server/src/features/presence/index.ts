import type { Feature } from '../../platform/features.ts'
import { live } from './presence.live.ts'
import { routes } from './presence.routes.ts'

export const presence: Feature = { name: 'presence', routes, live }
