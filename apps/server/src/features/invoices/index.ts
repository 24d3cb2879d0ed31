import type { Feature } from '../../platform/features.ts'
import { carriedOfInvoices } from './invoices.carried.queries.ts'
import { jobs } from './invoices.jobs.ts'
import { live } from './invoices.live.ts'
import { routes } from './invoices.routes.ts'

export const invoices: Feature = { name: 'invoices', routes, live, jobs: [...jobs, ...carriedOfInvoices] }
