import type { NoticePlatform } from '@balcao/contract/billingNotices.rules.ts'
import type { SubscriptionContact } from '@balcao/contract/billingNotices.ts'
import { email as Email } from '@balcao/contract/kit.ts'
import { type CountryCode, wholeNumber } from '@balcao/contract/numbers.rules.ts'
import { together } from '../../platform/postgres/db.ts'
import { given, prepared } from '../../platform/postgres/prepared.ts'
import { and, eq } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { countryIn } from '../companies/companies.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { users } from '../users/users.table.ts'
import { contactsOf, type NoticeRow } from './billingNotices.queries.ts'

/** Who is notified: a contact, or an address that the company named without one. */
export interface NoticeRecipient
  extends Omit<SubscriptionContact, 'id' | 'companyId' | 'whatsappVAlidatedNumber'> {
  contactId: number | null
}

/** Addresses of one kind that a company is notified at beside its contacts. */
const MOST_ADDRESSES = 20

/**
 * The contacts of the company, and its own addresses for notices that no contact has; where it has neither, its e-mail and the
 * users that pay for it.
 */
export async function recipientsOf(tx: Tx): Promise<NoticeRecipient[]> {
  const [known, company, payers] = await together(
    tx.sql,
    () => contactsOf(tx.sql, tx.companyId),
    () => addressesOf(tx),
    () => payersOf(tx.sql, { companyId: tx.companyId }),
  )
  const contacts = known.map(({ id, ...contact }) => ({ ...contact, contactId: id }))
  const { name, email, emails, numbers } = company
  const own = [
    ...emailsIn(emails).map(one => at(name, { email: one })),
    ...numbersIn(numbers, countryIn(company.country), contacts).map(one => at(name, { whatsapp: one })),
  ].filter(one => !contacts.some(contact => hasAddressOf(contact, one)))
  if (own.length > 0 || contacts.some(one => one.email || one.whatsapp)) return [...contacts, ...own]
  const others = payers.filter(payer => folded(payer.email) !== folded(email))
  return [...(email ? [{ name, email }] : []), ...others].map(one => at(one.name, { email: one.email }))
}

/** The recipient of a notice; null where it is none any more. */
export const recipientOfNotice = (recipients: NoticeRecipient[], notice: NoticeRow): NoticeRecipient | null =>
  recipients.find(one =>
    notice.contactId === null
      ? one.contactId === null && addressOn(one, notice.platform) === notice.address
      : one.contactId === notice.contactId,
  ) ?? null

export const addressOn = ({ email, whatsapp }: NoticeRecipient, platform: NoticePlatform): string =>
  platform === 'wpp' ? whatsapp : email

async function addressesOf({ sql, companyId }: Tx) {
  const [company] = await addresses(sql, { companyId })
  return company!
}

const addresses = prepared(sql =>
  sql
    .select({
      name: companies.name,
      email: companies.email,
      emails: companies.emailsOfNotifications,
      numbers: companies.whatsappsOfNotifications,
      country: companies.phoneCountry,
    })
    .from(companies)
    .where(eq(companies.id, given('companyId'))),
)

const payersOf = prepared(sql =>
  sql
    .select({ name: users.name, email: users.email })
    .from(users)
    .where(and(eq(users.companyId, given('companyId')), eq(users.payPanelAccess, true)))
    .orderBy(users.id)
    .limit(MOST_ADDRESSES),
)

const folded = (address: string) => address.trim().toLowerCase()

const addressesIn = (written: string, between: RegExp): string[] => [
  ...new Set(written.split(between).map(folded).filter(Boolean)),
]

/** What was entered is free text: other words are no addresses. */
const emailsIn = (written: string) =>
  addressesIn(written, /[,;\s]+/)
    .filter(one => Email.safeParse(one).success)
    .slice(0, MOST_ADDRESSES)

/** Numbers that no contact has as they are written: without a country code they are of the company's country. */
function numbersIn(written: string, country: CountryCode, contacts: NoticeRecipient[]): string[] {
  const known = new Set(contacts.map(({ whatsapp }) => whatsapp))
  const all = addressesIn(written, /[,;\n]+/).filter(one => !known.has(one.replace(/\D/g, '')))
  const read = all.flatMap(one => wholeNumber(one, country) ?? [])
  return [...new Set(read)].filter(Boolean).slice(0, MOST_ADDRESSES)
}

const hasAddressOf = (contact: NoticeRecipient, { email, whatsapp }: NoticeRecipient) =>
  email ? folded(contact.email) === email : contact.whatsapp === whatsapp

/** Every kind is wanted, as by a new contact. */
const at = (contactName: string, address: { email?: string; whatsapp?: string }): NoticeRecipient => ({
  ...{ contactId: null, contactName, email: '', whatsapp: '', ...address },
  ...{ whatsappInvoiceCreated: true, whatsappInvoiceDay: true, whatsappDelayedPayment: true },
  ...{ whatsappInvoiceConfirmedPayment: true, emailInvoiceCreated: true, emailInvoiceDay: true },
  ...{ emailDelayedPayment: true, emailInvoiceConfirmedPayment: true },
  ...{ invoiceDaysBeforeExpiration: 5, invoiceDaysAfterExpiration: 5 },
})
