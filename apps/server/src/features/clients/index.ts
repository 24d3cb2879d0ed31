import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { leavingCompanies } from './clients.queries.ts'
import { routes } from './clients.routes.ts'
import { eraseLeaving } from './clients.worker.ts'

export const clients: Feature = {
  name: 'clients',
  routes,
  jobs: [due('clients', eraseLeaving, sql => leavingCompanies(sql, 1))],
}
