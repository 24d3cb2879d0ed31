import type { Feature } from '../../platform/features.ts'
import { carriedOfCompanies } from './companies.carried.queries.ts'
import { jobs } from './companies.jobs.ts'
import { reacts } from './companies.reacts.ts'
import { requestsLifetime } from './companies.requests.queries.ts'
import { routes } from './companies.routes.ts'

export const companies: Feature = {
  name: 'companies',
  routes,
  jobs: [...jobs, ...carriedOfCompanies, requestsLifetime],
  reacts,
}
