import { due } from '../../platform/due.ts'
import type { Feature } from '../../platform/features.ts'
import { chores, destroyTickets } from './publicApi.jobs.ts'
import { routes } from './publicApi.routes.ts'

const NAME = 'publicApi'

export const publicApi: Feature = { name: NAME, routes, chores, due: [due(NAME, destroyTickets)] }
