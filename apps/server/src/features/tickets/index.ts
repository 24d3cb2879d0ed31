import type { Feature } from '../../platform/features.ts'
import { chores } from './tickets.jobs.ts'
import { joins, live } from './tickets.live.ts'
import { reacts } from './tickets.reacts.ts'
import { routes } from './tickets.routes.ts'

export const tickets: Feature = { name: 'tickets', routes, live, joins, reacts, chores }
