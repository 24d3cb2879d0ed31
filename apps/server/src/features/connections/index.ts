import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { CONNECTIONS_TOPIC, connectionWanted } from './connections.events.ts'
import { live } from './connections.live.ts'
import { reacts } from './connections.reacts.ts'
import { routes } from './connections.routes.ts'

export const connections: Feature = {
  name: 'connections',
  routes,
  live,
  reacts: [...reacts, signal(connectionWanted, () => CONNECTIONS_TOPIC)],
}
