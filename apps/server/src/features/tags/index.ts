import type { Feature } from '../../platform/features.ts'
import { live } from './tags.live.ts'
import { reacts } from './tags.reacts.ts'
import { routes } from './tags.routes.ts'

export const tags: Feature = { name: 'tags', routes, live, reacts }
