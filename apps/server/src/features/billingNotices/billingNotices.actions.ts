import { randomUUID } from 'node:crypto'
import { noticeText } from '@balcao/contract/billingNotices.rules.ts'
import {
  MOST_CONTACTS,
  NO_NUMBER,
  type NoticeTrial,
  type SubscriptionContact,
  type SubscriptionContactInput,
} from '@balcao/contract/billingNotices.ts'
import { wholeNumber } from '@balcao/contract/numbers.rules.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Platform } from '../../platform/app.ts'
import { databaseNow } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { phoneCountryIn } from '../companies/companies.queries.ts'
import { notificationCentre } from '../connections/connections.queries.ts'
import { holdClient } from '../plans/plans.queries.ts'
import {
  contactOrNull,
  contactsOf,
  deleteSubscriptionContact,
  insertSubscriptionContact,
  shownContact,
  updateSubscriptionContact,
} from './billingNotices.queries.ts'
import { completeTexts, findTemplate } from './billingNotices.templates.queries.ts'
import { noticeLetter, valuesFor } from './billingNotices.text.ts'
import { sendByConnection } from './billingNotices.worker.ts'

/** The contacts who are notified of a company's invoices. Refuses with ERR_NO_COMPANY_FOUND. */
export function listBillingContacts(
  platform: PlatformScope,
  viewer: Viewer,
  companyId: number,
): Promise<SubscriptionContact[]> {
  refuseForeignCompany(viewer, companyId)
  return platform.transaction(sql => contactsOf(sql, companyId))
}

/** Does not reveal whether another company exists. */
export function refuseForeignCompany(viewer: Viewer, companyId: number): void {
  if (!may(viewer, 'master') && companyId !== viewer.companyId) refuse('ERR_NO_COMPANY_FOUND')
}

/** Refuses with ERR_NOT_FOUND. */
export const findBillingContact = (platform: PlatformScope, viewer: Viewer, contactId: number) =>
  platform.transaction(async sql => shownContact(await ownContact(sql, viewer, contactId)))

/** Refuses with ERR_NO_COMPANY_FOUND, and with ERR_BAD_REQUEST where there are enough. */
export function addBillingContact(
  platform: PlatformScope,
  viewer: Viewer,
  { companyId = viewer.companyId, ...input }: SubscriptionContactInput & { companyId?: number },
): Promise<SubscriptionContact> {
  refuseForeignCompany(viewer, companyId)
  return platform.transaction(async sql => {
    // serializes concurrent additions: the second one counts the first
    await holdClient(sql, companyId)
    if ((await contactsOf(sql, companyId)).length >= MOST_CONTACTS)
      refuse('ERR_BAD_REQUEST', { field: 'companyId', message: `Up to ${MOST_CONTACTS} contacts` })
    return insertSubscriptionContact(sql, companyId, await inFull(sql, companyId, input))
  })
}

/** Refuses with ERR_NOT_FOUND. */
export const changeBillingContact = (
  platform: PlatformScope,
  viewer: Viewer,
  contactId: number,
  input: SubscriptionContactInput,
): Promise<SubscriptionContact> =>
  platform.transaction(async sql => {
    const { companyId } = await ownContact(sql, viewer, contactId)
    const whole = await inFull(sql, companyId, input)
    return (await updateSubscriptionContact(sql, contactId, whole)) ?? refuse('ERR_NOT_FOUND')
  })

/** With the number in full. Refuses with ERR_BAD_REQUEST where it is none. */
async function inFull(sql: Sql, companyId: number, input: SubscriptionContactInput) {
  if (input.whatsapp === '') return input
  const whatsapp =
    wholeNumber(input.whatsapp, await phoneCountryIn(sql, companyId)) ??
    refuse('ERR_BAD_REQUEST', { field: 'whatsapp', message: NO_NUMBER })
  return { ...input, whatsapp }
}

/** Its waiting notices are deleted, too. Refuses with ERR_NOT_FOUND. */
export const removeBillingContact = (
  platform: PlatformScope,
  viewer: Viewer,
  contactId: number,
): Promise<void> =>
  platform.transaction(async sql => {
    const { companyId } = await ownContact(sql, viewer, contactId)
    await deleteSubscriptionContact(sql, companyId, contactId)
  })

async function ownContact(sql: Sql, viewer: Viewer, contactId: number) {
  const row = await contactOrNull(sql, contactId)
  return row && (may(viewer, 'master') || row.companyId === viewer.companyId) ? row : refuse('ERR_NOT_FOUND')
}

const SAMPLE = { kind: 'invoiceCreated', contactName: 'Maria Souza' } as const

/** An invoice that does not exist. */
function sampleInvoice() {
  const day = (days: number) => new Date(databaseNow() + days * 86_400_000).toISOString().slice(0, 10)
  return {
    startInvoicePeriod: day(5),
    endInvoicePeriod: day(34),
    dueDate: day(5),
    value: 9_990,
    paidValue: 0,
  }
}

/**
 * Sends a sample of a template at once. Refuses with ERR_NOT_FOUND, ERR_NO_MAIL, ERR_MAIL_REFUSED,
 * ERR_NO_DEF_WAPP_FOUND, ERR_WAPP_NOT_INITIALIZED, ERR_WAPP_INVALID_CONTACT, ERR_WAPP_WINDOW_CLOSED.
 */
export async function tryTemplate(
  { scopes, mail, config, log }: Pick<Platform, 'scopes' | 'mail' | 'config' | 'log'>,
  templateId: number,
  { email, whatsapp }: NoticeTrial,
): Promise<void> {
  const platform = scopes.platform()
  const texts = completeTexts(await platform.transaction(sql => findTemplate(sql, templateId)))
  const id = randomUUID()
  const values = valuesFor(config.backendUrl, { ...SAMPLE, id }, sampleInvoice())
  if (email !== '') {
    if (!mail.isSetUp) refuse('ERR_NO_MAIL', { field: 'email' })
    await mail.send({ id, to: email, letter: noticeLetter(texts, values), link: null }).catch(error => {
      log.warn({ err: error }, 'a sample of a notice was refused')
      return refuse('ERR_MAIL_REFUSED', { field: 'email' })
    })
  }
  if (whatsapp === '') return
  const centre =
    (await platform.transaction(notificationCentre)) ?? refuse('ERR_NO_DEF_WAPP_FOUND', { field: 'whatsapp' })
  const notice = { id, name: SAMPLE.contactName, number: whatsapp, text: noticeText(texts.textWp, values) }
  const refused = await platform
    .inCompany(centre.companyId)
    .transaction(tx => sendByConnection(tx, centre, notice))
  if (refused) refuse(refused, { field: 'whatsapp' })
}
