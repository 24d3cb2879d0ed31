import type { Feature } from '../../platform/features.ts'
import { live } from './messages.live.ts'
import { routes } from './messages.routes.ts'

export const messages: Feature = { name: 'messages', routes, live }
