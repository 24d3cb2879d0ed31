import type { Feature } from '../../platform/features.ts'
import { carriedOfQueues } from './queues.carried.queries.ts'
import { live } from './queues.live.ts'
import { routes } from './queues.routes.ts'

export const queues: Feature = { name: 'queues', routes, live, jobs: carriedOfQueues }
