import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { carriedOfConnections } from './connections.carried.queries.ts'
import { CONNECTIONS_TOPIC, connectionWanted } from './connections.events.ts'
import { connectionFigures } from './connections.figures.queries.ts'
import { removeConnectionJob } from './connections.jobs.ts'
import { passingKeys } from './connections.keys.queries.ts'
import { live } from './connections.live.ts'
import { reacts } from './connections.reacts.ts'
import { routes } from './connections.routes.ts'
import { sealedOfConnections } from './connections.table.ts'

export const connections: Feature = {
  name: 'connections',
  routes,
  live,
  jobs: [
    ...carriedOfConnections,
    ...sealedOfConnections,
    connectionFigures,
    passingKeys,
    removeConnectionJob,
  ],
  reacts: [...reacts, signal(connectionWanted, () => CONNECTIONS_TOPIC)],
}
