import { within } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { chore } from '../../platform/work/jobs.ts'
import { invoiceLeaving, invoiceWritten } from '../invoices/invoices.events.ts'
import { adjustWay, dropCode, endLapsedWays } from './autopay.actions.ts'
import { carriedOfAutopay } from './autopay.carried.queries.ts'
import { leavingWays, waysDue } from './autopay.queries.ts'
import { routes } from './autopay.routes.ts'
import { sealedOfAutopay } from './autopay.table.ts'
import { runWays } from './autopay.worker.ts'

export const autopay: Feature = {
  name: 'autopay',
  routes,
  reacts: [
    within(invoiceWritten, (tx, { invoice, before }) => adjustWay(tx, invoice, { isNew: before === null })),
    within(invoiceLeaving, (tx, { invoiceId }) => dropCode(tx, invoiceId)),
  ],
  jobs: [
    ...carriedOfAutopay,
    ...sealedOfAutopay,
    due('autopay', runWays, sql => waysDue(sql, 1), leavingWays),
    // hourly, after subscriptions ended
    chore('autopay.end', '47 * * * *', endLapsedWays),
  ],
}
