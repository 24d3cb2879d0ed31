import { databaseDate } from '../../platform/clock.ts'
import { within } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { chore } from '../../platform/work/jobs.ts'
import { autopayChanged } from '../autopay/autopay.events.ts'
import { invoiceLeaving, invoiceReopening, invoiceWritten } from '../invoices/invoices.events.ts'
import { dropPaidPage, followInvoice } from './charges.actions.ts'
import { cardsDue } from './charges.cards.queries.ts'
import { runCards } from './charges.cards.worker.ts'
import { carriedOfCharges } from './charges.carried.queries.ts'
import { followAutopay } from './charges.debits.actions.ts'
import { askForCharges } from './charges.listing.actions.ts'
import { chargesDue, giveUpCharges, leavingCharges } from './charges.queries.ts'
import { askRoute } from './charges.routes.ts'
import { webhooks } from './charges.webhook.routes.ts'
import { runCharges } from './charges.worker.ts'

export const charges: Feature = {
  name: 'charges',
  routes: [...webhooks, askRoute],
  reacts: [
    within(invoiceWritten, (tx, { invoice, before }) =>
      followInvoice(tx, invoice, { isNew: before === null }),
    ),
    within(invoiceReopening, (tx, { invoiceId, payee }) => dropPaidPage(tx, payee, invoiceId)),
    within(autopayChanged, followAutopay),
    within(invoiceLeaving, async (tx, { invoiceId }) => {
      await giveUpCharges(tx, invoiceId)
    }),
  ],
  jobs: [
    ...carriedOfCharges,
    due('charges', runCharges, leavingCharges, (sql, config) => chargesDue(sql, 1, config)),
    due('charges.cards', runCards, sql => cardsDue(sql, 1)),
    chore('charges.ask', '41 5 * * *', (scopes, config, { outbound, secrets }) =>
      askForCharges({ scopes, config, outbound, secrets }, databaseDate()),
    ),
  ],
}
