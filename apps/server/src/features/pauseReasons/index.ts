import type { Feature } from '../../platform/features.ts'
import { live } from './pauseReasons.live.ts'
import { routes } from './pauseReasons.routes.ts'

export const pauseReasons: Feature = { name: 'pauseReasons', routes, live }
