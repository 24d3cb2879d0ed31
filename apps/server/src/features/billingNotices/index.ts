import { due } from '../../platform/due.ts'
import { within } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { chore } from '../../platform/jobs.ts'
import { invoiceWritten } from '../invoices/invoices.events.ts'
import { mailSettled } from '../mails/mails.events.ts'
import { hearOfMail, settleSpoken } from './billingNotices.outcome.ts'
import { hearOfInvoice, remindAll } from './billingNotices.plan.ts'
import { routes } from './billingNotices.routes.ts'
import { sendDueNotices } from './billingNotices.send.ts'

export const billingNotices: Feature = {
  name: 'billingNotices',
  routes,
  reacts: [
    within(invoiceWritten, (tx, { invoice, isNew, now }) => hearOfInvoice(tx, invoice, isNew, now)),
    within(mailSettled, (tx, { cause }) => hearOfMail(tx, cause)),
  ],
  // hourly, since days begin at different hours; behind the invoices, of which it speaks
  chores: [chore('billingNotices.remind', '17 * * * *', scopes => remindAll(scopes, new Date()))],
  due: [
    due('billingNotices', tools => sendDueNotices(tools)),
    due('billingNotices.outcome', ({ scopes }) => settleSpoken(scopes)),
  ],
}
