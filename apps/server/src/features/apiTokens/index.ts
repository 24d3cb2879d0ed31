import type { Feature } from '../../platform/features.ts'
import { live } from './apiTokens.live.ts'
import { reacts } from './apiTokens.reacts.ts'
import { routes } from './apiTokens.routes.ts'

export const apiTokens: Feature = { name: 'apiTokens', routes, live, reacts }
