import { databaseDate } from '../../platform/clock.ts'
import { within } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { chore } from '../../platform/work/jobs.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { endedOrderPaid } from '../invoices/invoices.events.ts'
import { carriedOfBilling } from './billing.carried.queries.ts'
import { applyChanges } from './billing.change.actions.ts'
import { endDue } from './billing.end.actions.ts'
import { payLapsed } from './billing.orders.actions.ts'
import { ordersDue } from './billing.orders.queries.ts'
import { settleOrders } from './billing.orders.worker.ts'
import { routes } from './billing.routes.ts'

export const billing: Feature = {
  name: 'billing',
  routes,
  reacts: [within(endedOrderPaid, payLapsed)],
  jobs: [
    ...carriedOfBilling,
    due('billing.orders', settleOrders, (sql, config) => ordersDue(sql, config.tzDefault, 1)),
    // hourly, since days begin at different hours
    chore('billing.applyChanges', '3 * * * *', async (scopes, config) =>
      applyChanges(scopes, await billingNow({ scopes, config })),
    ),
    chore('billing.end', '5 * * * *', (scopes, config) => endDue(scopes, databaseDate(), config.tzDefault)),
  ],
}
