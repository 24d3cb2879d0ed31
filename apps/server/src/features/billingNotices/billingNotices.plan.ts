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
import { and, between, eq, inArray, rowsFrom, sql as tag } from '../../platform/sql.ts'
import { zoneOf } from '../companies/companies.queries.ts'
import { dayThere, type InvoiceRow } from '../invoices/invoices.queries.ts'
import { invoices } from '../invoices/invoices.table.ts'
import { contactsOf } from './billingNotices.contacts.ts'
import { billingNotices } from './billingNotices.table.ts'

/** No reminder is further from its invoice’s day. */
const FURTHEST_DAYS = 14

/** What happens to an invoice is said to who wants to hear of it, in the commit in which it happens. */
export async function hearOfInvoice(tx: Tx, invoice: InvoiceRow, isNew: boolean, now: Date): Promise<void> {
  const kind = isPaid(invoice) ? 'invoiceConfirmedPayment' : isNew ? 'invoiceCreated' : null
  if (kind) await plan(tx, now, await contactsOf(tx.sql, tx.companyId), () => [kind], [invoice])
}

/**
 * What this day says of the invoices of a company that are not paid; answers how much of it is new. However often it is
 * asked, each notice is one row.
 */
export const remind = (scope: Scope, now: Date): Promise<number> =>
  scope.transaction(async tx => {
    const today = await dayThere(tx, now)
    const owed = await tx.sql
      .select()
      .from(invoices)
      .where(
        and(
          eq(invoices.companyId, tx.companyId),
          inArray(invoices.status, ['PENDING', 'OVERDUE']),
          between(invoices.dueDate, daysFrom(today, -FURTHEST_DAYS), daysFrom(today, FURTHEST_DAYS)),
        ),
      )
    const contacts = owed.length > 0 ? await contactsOf(tx.sql, tx.companyId) : []
    return plan(tx, now, contacts, (invoice, contact) => remindersOn(today, invoice, contact), owed)
  })

/** Every company by itself: what fails for one holds up no other. Throws an AggregateError of all that failed. */
export async function remindAll(scopes: Scopes, now: Date): Promise<void> {
  const platform = scopes.platform()
  const failures: unknown[] = []
  for (const companyId of await platform.transaction(owingCompanies))
    await remind(platform.inCompany(companyId), now).catch(error => failures.push(error))
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} companies could not be reminded`)
}

async function owingCompanies(sql: Tx['sql']): Promise<number[]> {
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`select c.id from companies c where c.leaving_at is null
      and exists (select from notification_contacts n where n.company_id = c.id)
      and exists (select from invoices i where i.company_id = c.id and i.status in ('PENDING', 'OVERDUE'))
      order by c.id`,
  )
  return rows.map(({ id }) => id)
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
            ...{ companyId: tx.companyId, invoiceId: invoice.id, contactId: contact.id },
            ...{ contactName: contact.contactName, platform, kind, createdAt },
          })),
      ),
    ),
  )
  if (wanted.length === 0) return 0
  const opens = await remindsFrom(tx, now)
  const dueAt = (kind: NoticeKind) => (kind === 'invoiceConfirmedPayment' ? createdAt : opens)
  const made = await tx.sql
    .insert(billingNotices)
    .values(wanted.map(notice => ({ ...notice, dueAt: dueAt(notice.kind) })))
    .onConflictDoNothing()
    .returning({ id: billingNotices.id })
  return made.length
}

/** Whether the contact has that way, and wants to hear of this by it. */
export function isWanted(contact: SubscriptionContact, platform: NoticePlatform, kind: NoticeKind): boolean {
  const event = eventOf[kind]
  return platform === 'wpp'
    ? contact.whatsapp !== '' && contact[`whatsapp${event}`]
    : contact.email !== '' && contact[`email${event}`]
}

/** The next moment at which people may be reminded, by the company’s clock, also on days of 23 and of 25 hours. */
export async function remindsFrom(tx: Tx, now: Date): Promise<string> {
  const [row] = await rowsFrom<{ hour: number }>(
    tx.sql,
    tag`select extract(hour from ${now.toISOString()}::timestamptz at time zone ${zoneOf(tx)})::int as hour`,
  )
  const hours = hoursUntilOpen(row!.hour)
  if (hours === 0) return now.toISOString()
  const [opening] = await rowsFrom<{ at: number }>(
    tx.sql,
    tag`select extract(epoch from (date_trunc('hour', ${now.toISOString()}::timestamptz at time zone ${zoneOf(tx)})
      + ${hours} * interval '1 hour') at time zone ${zoneOf(tx)})::float8 as at`,
  )
  return new Date(opening!.at * 1_000).toISOString()
}
