import {
  eventOf,
  hoursUntilOpen,
  type NoticeKind,
  type NoticePlatform,
  noticePlatforms,
  remindersOn,
  trialNoticeOn,
} from '@balcao/contract/billingNotices.rules.ts'
import { daysFrom, isPaid } from '@balcao/contract/invoices.rules.ts'
import type { UnchargedReason } from '@balcao/contract/ledger.rules.ts'
import { together } from '../../platform/postgres/db.ts'
import type { Scope, Scopes, Tx } from '../../platform/scope.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import { dayThere, hoursThere } from '../companies/companies.queries.ts'
import { type InvoiceRow, owedInvoices } from '../invoices/invoices.queries.ts'
import { companiesInTrial, trialOf } from '../invoices/invoices.trial.queries.ts'
import { insertNotices, type NewNotice, owingCompanies } from './billingNotices.queries.ts'
import { addressOn, type NoticeRecipient, recipientsOf } from './billingNotices.recipients.queries.ts'

/** The most days between a reminder and the due day of its invoice. */
const FURTHEST_DAYS = 14
const REMOVED: UnchargedReason = 'removed'
/** The most days between a notice of a trial and its end. */
const TRIAL_NOTICE_DAYS = 3

/** Plans the notices of an invoice that is new, paid, or owed again, in the commit of that change. */
export async function onInvoiceEvent(tx: Tx, { invoice, before, now }: InvoiceEvent): Promise<void> {
  const kind = kindOf(invoice, before)
  if (kind) await plan(tx, now, [{ ...aboutInvoice(invoice), kindsFor: () => [kind] }])
}

interface InvoiceEvent {
  invoice: InvoiceRow
  before: InvoiceRow | null
  now: Date
}

function kindOf(invoice: InvoiceRow, before: InvoiceRow | null): NoticeKind | null {
  if (isPaid(invoice)) return 'invoiceConfirmedPayment'
  if (before && invoice.round > before.round) return 'paymentReturned'
  return before === null ? 'invoiceCreated' : null
}

/**
 * Plans the reminders of this day for unpaid invoices of a company, and for the end of its trial; answers how many are new.
 * Idempotent: each notice is one row.
 */
export const remind = (scope: Scope, now: Date): Promise<number> =>
  scope.transaction(async tx => {
    const today = await dayThere(tx, now)
    const [from, until] = [daysFrom(today, -FURTHEST_DAYS), daysFrom(today, FURTHEST_DAYS)]
    // one whose charge was removed in the provider’s panel is not reminded of until it is charged again
    const owed = (await owedInvoices(tx, from, until)).filter(one => one.paymentProblem !== REMOVED)
    const trial = await trialOf(tx, now)
    const ofTrial = trial && trialNoticeOn(today, trial.end)
    return plan(tx, now, [
      ...owed.map(invoice => ({
        ...aboutInvoice(invoice),
        kindsFor: (recipient: NoticeRecipient) => remindersOn(today, invoice, recipient),
      })),
      ...(trial && ofTrial ? [{ ...aboutTrial(trial.end), kindsFor: () => [ofTrial] }] : []),
    ])
  })

/** Company by company; a failure of one does not end the others. Throws an AggregateError of all failures. */
export async function remindAll(scopes: Scopes, now: Date): Promise<void> {
  const platform = scopes.platform()
  const today = now.toISOString().slice(0, 10)
  const concerned = await platform.transaction(async sql => [
    ...(await owingCompanies(sql)),
    ...(await companiesInTrial(sql, today, daysFrom(today, TRIAL_NOTICE_DAYS))),
  ])
  const each = [...new Set(concerned)]
  await eachByItself(each, companyId => remind(platform.inCompany(companyId), now), 'to remind a company')
}

/** The subject of notices, and the kinds that a recipient gets of it. */
interface Subject extends Pick<NewNotice, 'invoiceId' | 'trialEndsOn' | 'round'> {
  kindsFor(recipient: NoticeRecipient): NoticeKind[]
}

const aboutInvoice = ({ id, round }: InvoiceRow) => ({ invoiceId: id, trialEndsOn: null, round })
const aboutTrial = (trialEndsOn: string) => ({ invoiceId: null, trialEndsOn, round: 0 })

async function plan(tx: Tx, now: Date, subjects: Subject[]): Promise<number> {
  const createdAt = now.toISOString()
  if (subjects.length === 0) return 0
  const [recipients, leaves] = await together(
    tx.sql,
    () => recipientsOf(tx),
    () => leavesFrom(tx, now),
  )
  const wanted = subjects.flatMap(({ kindsFor, ...subject }) =>
    recipients.flatMap(recipient =>
      kindsFor(recipient).flatMap(kind =>
        noticePlatforms
          .filter(platform => isWanted(recipient, platform, kind))
          .map(platform => ({ ...subject, ...addressed(recipient, platform), platform, kind, createdAt })),
      ),
    ),
  )
  if (wanted.length === 0) return 0
  return insertNotices(
    tx,
    wanted.map(notice => ({ ...notice, dueAt: leaves(notice.kind) })),
  )
}

const addressed = (recipient: NoticeRecipient, platform: NoticePlatform) => ({
  contactId: recipient.contactId,
  contactName: recipient.contactName,
  address: recipient.contactId === null ? addressOn(recipient, platform) : '',
})

/** Whether the recipient has an address on that platform, and wants this kind of notice there. */
export function isWanted(recipient: NoticeRecipient, platform: NoticePlatform, kind: NoticeKind): boolean {
  const event = eventOf[kind]
  const wish = platform === 'wpp' ? (`whatsapp${event}` as const) : (`email${event}` as const)
  return addressOn(recipient, platform) !== '' && recipient[wish]
}

/** When a notice that is planned then may leave first: thanks at once, all else within the hours for reminders. */
export async function leavesFrom(tx: Tx, planned: Date): Promise<(kind: NoticeKind) => string> {
  const opens = await remindsFrom(tx, planned)
  return kind => (kind === 'invoiceConfirmedPayment' ? planned.toISOString() : opens)
}

/** The next moment at which reminders may be sent, by the company’s clock. */
export async function remindsFrom(tx: Tx, now: Date): Promise<string> {
  const { hour, begins } = await hoursThere(tx, now)
  const hours = hoursUntilOpen(hour)
  return hours === 0 ? now.toISOString() : begins[hours]!
}
