import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { chore } from '../../platform/work/jobs.ts'
import { newsLifetimes } from './payments.news.queries.ts'
import { notifyOfReviews } from './payments.notify.actions.ts'
import { refundsDue } from './payments.refunds.queries.ts'
import { routes } from './payments.routes.ts'
import { askForRefunds, runRefunds } from './payments.worker.ts'

export const payments: Feature = {
  name: 'payments',
  routes,
  jobs: [
    ...newsLifetimes,
    due('payments.refunds', runRefunds, sql => refundsDue(sql, 1)),
    chore('payments.notifyOfReviews', '*/5 * * * *', notifyOfReviews),
    chore('payments.refunds.ask', '17 * * * *', (scopes, config, { outbound, secrets }) =>
      askForRefunds({ scopes, config, outbound, secrets }),
    ),
  ],
}
