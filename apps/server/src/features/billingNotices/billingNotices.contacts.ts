import {
  MOST_CONTACTS,
  type NotificationContact,
  type SubscriptionContact,
  type SubscriptionContactInput,
} from '@balcao/contract/billingNotices.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { holdClient } from '../plans/plans.queries.ts'
import { billingNotices, notificationContacts } from './billingNotices.table.ts'

/** Who hears of the invoices of a company, in the order in which they came. Refuses with ERR_NO_COMPANY_FOUND. */
export function listBillingContacts(
  platform: PlatformScope,
  viewer: Viewer,
  companyId: number,
): Promise<SubscriptionContact[]> {
  refuseForeignCompany(viewer, companyId)
  return platform.transaction(sql => contactsOf(sql, companyId))
}

export async function contactsOf(sql: Sql, companyId: number): Promise<SubscriptionContact[]> {
  const rows = await sql
    .select()
    .from(notificationContacts)
    .where(eq(notificationContacts.companyId, companyId))
    .orderBy(notificationContacts.id)
  return rows.map(shown)
}

/** Of others nobody learns whether they are there. */
export function refuseForeignCompany(viewer: Viewer, companyId: number): void {
  if (!may(viewer, 'master') && companyId !== viewer.companyId) refuse('ERR_NO_COMPANY_FOUND')
}

/** Refuses with ERR_NOT_FOUND. */
export const findBillingContact = (platform: PlatformScope, viewer: Viewer, contactId: number) =>
  platform.transaction(async sql => shown(await ownRow(sql, viewer, contactId)))

/** Refuses with ERR_NO_COMPANY_FOUND, and with ERR_BAD_REQUEST where there are enough. */
export function addBillingContact(
  platform: PlatformScope,
  viewer: Viewer,
  { companyId = viewer.companyId, ...input }: SubscriptionContactInput & { companyId?: number },
): Promise<SubscriptionContact> {
  refuseForeignCompany(viewer, companyId)
  return platform.transaction(async sql => {
    // of two who add the last at once the second finds it
    await holdClient(sql, companyId)
    if ((await contactsOf(sql, companyId)).length >= MOST_CONTACTS)
      refuse('ERR_BAD_REQUEST', { field: 'companyId', message: `Up to ${MOST_CONTACTS} contacts` })
    const [row] = await sql
      .insert(notificationContacts)
      .values({ ...input, companyId })
      .returning()
    return shown(row!)
  })
}

/** Those that a sign-up names, for a company that is founded in this transaction. */
export async function addFirstContacts(
  sql: Sql,
  companyId: number,
  contacts: NotificationContact[],
): Promise<void> {
  if (contacts.length > 0)
    await sql.insert(notificationContacts).values(contacts.map(contact => ({ ...contact, companyId })))
}

/** Refuses with ERR_NOT_FOUND. */
export const changeBillingContact = (
  platform: PlatformScope,
  viewer: Viewer,
  contactId: number,
  input: SubscriptionContactInput,
): Promise<SubscriptionContact> =>
  platform.transaction(async sql => {
    await ownRow(sql, viewer, contactId)
    const [row] = await sql
      .update(notificationContacts)
      .set(input)
      .where(eq(notificationContacts.id, contactId))
      .returning()
    return shown(row ?? refuse('ERR_NOT_FOUND'))
  })

/** What waited for it goes too. Refuses with ERR_NOT_FOUND. */
export const removeBillingContact = (
  platform: PlatformScope,
  viewer: Viewer,
  contactId: number,
): Promise<void> =>
  platform.transaction(async sql => {
    const { companyId } = await ownRow(sql, viewer, contactId)
    await sql.delete(notificationContacts).where(eq(notificationContacts.id, contactId))
    await sql
      .delete(billingNotices)
      .where(
        and(
          eq(billingNotices.companyId, companyId),
          eq(billingNotices.contactId, contactId),
          eq(billingNotices.state, 'waiting'),
        ),
      )
  })

async function ownRow(sql: Sql, viewer: Viewer, contactId: number) {
  const [row] = await sql.select().from(notificationContacts).where(eq(notificationContacts.id, contactId))
  return row && (may(viewer, 'master') || row.companyId === viewer.companyId) ? row : refuse('ERR_NOT_FOUND')
}

const shown = ({
  createdAt: _since,
  ...contact
}: typeof notificationContacts.$inferSelect): SubscriptionContact => contact
