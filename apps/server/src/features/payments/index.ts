import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { refundsDue } from './payments.refunds.queries.ts'
import { routes } from './payments.routes.ts'
import { runRefunds } from './payments.worker.ts'

export const payments: Feature = {
  name: 'payments',
  routes,
  jobs: [due('payments.refunds', runRefunds, sql => refundsDue(sql, 1))],
}
