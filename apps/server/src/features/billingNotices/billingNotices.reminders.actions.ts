import {
  eventOf,
  hoursUntilOpen,
  type NoticeKind,
  type NoticePlatform,
  noticePlatforms,
  remindersOn,
} from '@balcao/contract/billingNotices.rules.ts'
import type { SubscriptionContact } from '@balcao/contract/billingNotices.ts'
import { daysFrom, isPaid } from '@balcao/contract/invoices.rules.ts'
import type { Scope, Scopes, Tx } from '../../platform/scope.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import {
  dayThere,
  hourLater,
  hourThere,
  type InvoiceRow,
  owedInvoices,
} from '../invoices/invoices.queries.ts'
import { contactsOf, insertNotices, owingCompanies } from './billingNotices.queries.ts'

/** The most days between a reminder and the due day of its invoice. */
const FURTHEST_DAYS = 14

/** Plans the notices of a new or paid invoice, in the commit of that change. */
export async function onInvoiceEvent(
  tx: Tx,
  invoice: InvoiceRow,
  { isNew }: { isNew: boolean },
  now: Date,
): Promise<void> {
  const kind = isPaid(invoice) ? 'invoiceConfirmedPayment' : isNew ? 'invoiceCreated' : null
  if (kind) await plan(tx, now, await contactsOf(tx.sql, tx.companyId), () => [kind], [invoice])
}

/**
 * Plans the reminders of this day for unpaid invoices of a company; answers how many are new. Idempotent: each notice is
 * one row.
 */
export const remind = (scope: Scope, now: Date): Promise<number> =>
  scope.transaction(async tx => {
    const today = await dayThere(tx, now)
    const [from, until] = [daysFrom(today, -FURTHEST_DAYS), daysFrom(today, FURTHEST_DAYS)]
    const owed = await owedInvoices(tx, from, until)
    const contacts = owed.length > 0 ? await contactsOf(tx.sql, tx.companyId) : []
    return plan(tx, now, contacts, (invoice, contact) => remindersOn(today, invoice, contact), owed)
  })

/** Company by company; a failure of one does not end the others. Throws an AggregateError of all failures. */
export async function remindAll(scopes: Scopes, now: Date): Promise<void> {
  const platform = scopes.platform()
  const owing = await platform.transaction(owingCompanies)
  await eachByItself(owing, companyId => remind(platform.inCompany(companyId), now), 'to remind a company')
}

async function plan(
  tx: Tx,
  now: Date,
  contacts: SubscriptionContact[],
  kindsFor: (invoice: InvoiceRow, contact: SubscriptionContact) => NoticeKind[],
  rows: InvoiceRow[],
): Promise<number> {
  const createdAt = now.toISOString()
  const wanted = rows.flatMap(invoice =>
    contacts.flatMap(contact =>
      kindsFor(invoice, contact).flatMap(kind =>
        noticePlatforms
          .filter(platform => isWanted(contact, platform, kind))
          .map(platform => ({
            ...{ invoiceId: invoice.id, contactId: contact.id, contactName: contact.contactName },
            ...{ platform, kind, createdAt },
          })),
      ),
    ),
  )
  if (wanted.length === 0) return 0
  const opens = await remindsFrom(tx, now)
  const dueAt = (kind: NoticeKind) => (kind === 'invoiceConfirmedPayment' ? createdAt : opens)
  return insertNotices(
    tx,
    wanted.map(notice => ({ ...notice, dueAt: dueAt(notice.kind) })),
  )
}

/** Whether the contact has an address on that platform, and wants this kind of notice there. */
export function isWanted(contact: SubscriptionContact, platform: NoticePlatform, kind: NoticeKind): boolean {
  const event = eventOf[kind]
  return platform === 'wpp'
    ? contact.whatsapp !== '' && contact[`whatsapp${event}`]
    : contact.email !== '' && contact[`email${event}`]
}

/** The next moment at which reminders may be sent, by the company’s clock. */
export async function remindsFrom(tx: Tx, now: Date): Promise<string> {
  const hours = hoursUntilOpen(await hourThere(tx, now))
  return hours === 0 ? now.toISOString() : hourLater(tx, now, hours)
}
