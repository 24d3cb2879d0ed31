import type { Feature } from '../../platform/features.ts'
import { live } from './categories.live.ts'
import { reacts } from './categories.reacts.ts'
import { routes } from './categories.routes.ts'

export const categories: Feature = { name: 'categories', routes, live, reacts }
