import type { Feature } from '../../platform/features.ts'
import { live } from './mentions.live.ts'
import { reacts } from './mentions.reacts.ts'
import { routes } from './mentions.routes.ts'

export const mentions: Feature = { name: 'mentions', routes, live, reacts }
