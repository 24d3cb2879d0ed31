import { due } from '../../platform/due.ts'
import type { Feature } from '../../platform/features.ts'
import { eraseLeaving } from './clients.erase.ts'
import { routes } from './clients.routes.ts'

export const clients: Feature = {
  name: 'clients',
  routes,
  due: [due('clients', eraseLeaving)],
}
