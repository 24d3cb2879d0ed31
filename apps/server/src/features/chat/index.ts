import type { Feature } from '../../platform/features.ts'
import { carriedOfChat } from './chat.carried.queries.ts'
import { live } from './chat.live.ts'
import { reacts } from './chat.reacts.ts'
import { routes } from './chat.routes.ts'

export const chat: Feature = { name: 'chat', routes, live, reacts, jobs: carriedOfChat }
