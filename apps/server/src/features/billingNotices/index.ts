import { databaseDate } from '../../platform/clock.ts'
import { within } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { chore } from '../../platform/work/jobs.ts'
import { autopayFailed } from '../autopay/autopay.events.ts'
import { companyChanged } from '../companies/companies.events.ts'
import { invoiceWritten } from '../invoices/invoices.events.ts'
import { mailSettled } from '../mails/mails.events.ts'
import { notifyOfAutopay } from './billingNotices.autopay.actions.ts'
import { carriedOfBillingNotices } from './billingNotices.carried.queries.ts'
import { noticeDue, noticeMessageOf } from './billingNotices.queries.ts'
import { onInvoiceEvent, remindAll } from './billingNotices.reminders.actions.ts'
import { routes } from './billingNotices.routes.ts'
import { notifyOfSuspension } from './billingNotices.suspension.actions.ts'
import { onMailOutcome, sendDueNotices, settleNoticeMessage } from './billingNotices.worker.ts'

export const billingNotices: Feature = {
  name: 'billingNotices',
  routes,
  reacts: [
    within(invoiceWritten, onInvoiceEvent),
    within(companyChanged, tx => notifyOfSuspension(tx)),
    within(autopayFailed, notifyOfAutopay),
    within(mailSettled, (tx, { cause }) => onMailOutcome(tx, cause)),
  ],
  jobs: [
    ...carriedOfBillingNotices,
    // hourly, since days begin at different hours; after the invoices are made
    chore('billingNotices.remind', '17 * * * *', scopes => remindAll(scopes, databaseDate())),
    due('billingNotices', tools => sendDueNotices(tools), noticeDue),
    due('billingNotices.outcome', settleNoticeMessage, sql => noticeMessageOf(sql, 1)),
  ],
}
