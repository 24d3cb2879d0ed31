import { type NoticeKind, noticeHtml } from '@balcao/contract/billingNotices.rules.ts'
import type {
  BillingNotice,
  NoticePage,
  NotificationContact,
  SubscriptionContact,
  SubscriptionContactInput,
} from '@balcao/contract/billingNotices.ts'
import { isOwed, priceOf } from '@balcao/contract/invoices.rules.ts'
import { WAITING } from '@balcao/contract/messages.rules.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, prepared } from '../../platform/postgres/prepared.ts'
import {
  and,
  desc,
  eq,
  inState,
  lte,
  ne,
  rowsFrom,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { plans } from '../companies/companies.table.ts'
import { shownInvoice } from '../invoices/invoices.queries.ts'
import { invoices } from '../invoices/invoices.table.ts'
import { messages } from '../messages/messages.table.ts'
import { billingNotices, notificationContacts } from './billingNotices.table.ts'
import { textsInUse } from './billingNotices.templates.queries.ts'
import { trialWords, valuesFor } from './billingNotices.text.ts'

export type NoticeRow = typeof billingNotices.$inferSelect
type ContactRow = typeof notificationContacts.$inferSelect

/** The contacts who are notified of a company's invoices, in the order in which they were added. */
export async function contactsOf(sql: Sql, companyId: number): Promise<SubscriptionContact[]> {
  return (await contacts(sql, { companyId })).map(shownContact)
}

const contacts = prepared(sql =>
  sql
    .select()
    .from(notificationContacts)
    .where(eq(notificationContacts.companyId, given('companyId')))
    .orderBy(notificationContacts.id),
)

export async function contactOrNull(sql: Sql, contactId: number): Promise<ContactRow | null> {
  const [row] = await sql.select().from(notificationContacts).where(eq(notificationContacts.id, contactId))
  return row ?? null
}

export async function insertSubscriptionContact(
  sql: Sql,
  companyId: number,
  input: SubscriptionContactInput,
) {
  const [row] = await sql
    .insert(notificationContacts)
    .values({ ...input, companyId })
    .returning()
  return shownContact(row!)
}

/** The contacts that a sign-up names, for a company that is created in this transaction. */
export async function addFirstContacts(
  sql: Sql,
  companyId: number,
  contacts: NotificationContact[],
): Promise<void> {
  if (contacts.length > 0)
    await sql.insert(notificationContacts).values(contacts.map(contact => ({ ...contact, companyId })))
}

/** Null when it was deleted meanwhile. */
export async function updateSubscriptionContact(
  sql: Sql,
  contactId: number,
  input: SubscriptionContactInput,
) {
  const [row] = await sql
    .update(notificationContacts)
    .set(input)
    .where(eq(notificationContacts.id, contactId))
    .returning()
  return row ? shownContact(row) : null
}

/** Deletes a contact with the notices that wait for it. */
export async function deleteSubscriptionContact(
  sql: Sql,
  companyId: number,
  contactId: number,
): Promise<void> {
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
}

export const shownContact = ({ createdAt: _since, ...contact }: ContactRow): SubscriptionContact => contact

/** The notices of a company, the newest first. */
export async function listNotices(sql: Sql, companyId: number, pageNumber: number | undefined) {
  const { rows, hasMore } = await onePage({ pageNumber }, (limit, offset) =>
    sql
      .select()
      .from(billingNotices)
      .where(eq(billingNotices.companyId, companyId))
      .orderBy(desc(billingNotices.createdAt), desc(billingNotices.id))
      .limit(limit)
      .offset(offset),
  )
  return { notices: rows.map(shownNotice), hasMore }
}

const shownNotice = ({
  companyId: _company,
  contactId: _contact,
  centreId: _centre,
  round: _round,
  trialEndsOn: _trial,
  address: _address,
  ...notice
}: NoticeRow): BillingNotice => ({
  ...notice,
  state: notice.state === 'waiting' && notice.reason !== '' ? 'held' : notice.state,
})

/** The page of a notice (OP-123). Refuses with ERR_NOT_FOUND. */
export async function openNotice(
  sql: Sql,
  { backendUrl, payee }: { backendUrl: string; payee: PixPayee | null },
  platform: NoticeRow['platform'],
  id: string,
): Promise<NoticePage> {
  const [found] = await sql
    .select({ notice: billingNotices, invoice: invoices, plan: plans })
    .from(billingNotices)
    .leftJoin(plans, eq(plans.companyId, billingNotices.companyId))
    .leftJoin(
      invoices,
      and(eq(invoices.companyId, billingNotices.companyId), eq(invoices.id, billingNotices.invoiceId)),
    )
    .where(and(eq(billingNotices.id, id), eq(billingNotices.platform, platform)))
  const { notice, invoice, plan } = found ?? refuse('ERR_NOT_FOUND')
  if (!invoice) return trialPage(backendUrl, notice, plan)
  const values = valuesFor(backendUrl, notice, invoice)
  const { pixCode, status } = shownInvoice(invoice, payee)
  const texts = platform === 'wpp' ? await textsInUse(sql) : null
  return {
    urlRedirect: isOwed(invoice) ? invoice.paymentLink : '',
    ...{ description: values.description, valueBrl: values.valueBrl },
    ...{ pixCode, dueDate: invoice.dueDate, status },
    thumbnailHtml: texts ? noticeHtml(texts.thumbnailWpHtml, values) : '',
  }
}

export interface NewNotice {
  invoiceId: number | null
  trialEndsOn: string | null
  contactId: number | null
  contactName: string
  /** Of a recipient that is no contact. */
  address: string
  platform: NoticeRow['platform']
  kind: NoticeKind
  round: number
  createdAt: string
  dueAt: string
}

/** Users see how they are billed. */
const SUBSCRIPTION_PAGE = '/clientCompanyManager'

function trialPage(
  backendUrl: string,
  notice: NoticeRow,
  plan: typeof plans.$inferSelect | null,
): NoticePage {
  const dueDate = notice.trialEndsOn!
  const words = trialWords({ end: dueDate, value: plan ? priceOf(plan).cents : 0 })
  const { description, valueBrl } = valuesFor(backendUrl, notice, words)
  return {
    ...{ urlRedirect: backendUrl + SUBSCRIPTION_PAGE, description, valueBrl, dueDate },
    ...{ status: 'PENDING', pixCode: '', thumbnailHtml: '' },
  }
}

/** Inserts notices, one per subject, recipient, platform and kind; answers how many are new. */
export async function insertNotices(tx: Tx, notices: NewNotice[]): Promise<number> {
  const made = await tx.sql
    .insert(billingNotices)
    .values(notices.map(notice => ({ ...notice, companyId: tx.companyId })))
    .onConflictDoNothing()
    .returning({ id: billingNotices.id })
  return made.length
}

/** The due notices of all companies. */
export const noticesDue = (sql: Sql, now: string | SQL, most: number, passed: number[] = []) =>
  sql
    .select({ companyId: billingNotices.companyId, id: billingNotices.id })
    .from(billingNotices)
    .where(
      and(
        inState(billingNotices.state, 'waiting'),
        lte(billingNotices.dueAt, now),
        outside(billingNotices.companyId, passed),
      ),
    )
    .orderBy(billingNotices.dueAt)
    .limit(most)

/** One due notice, by the clock of the database. */
export const noticeDue = (sql: Sql) => noticesDue(sql, tag`now()`, 1)

/** Null when it was sent already, or another worker has locked it. */
export async function lockNotice(tx: Tx, id: string): Promise<NoticeRow | null> {
  const [row] = await tx.sql
    .select()
    .from(billingNotices)
    .where(
      and(
        eq(billingNotices.companyId, tx.companyId),
        eq(billingNotices.id, id),
        eq(billingNotices.state, 'waiting'),
      ),
    )
    .for('update', { skipLocked: true })
  return row ?? null
}

export const settleNotice = (tx: Tx, id: string, values: Partial<NoticeRow>) =>
  tx.sql
    .update(billingNotices)
    .set(values)
    .where(and(eq(billingNotices.companyId, tx.companyId), eq(billingNotices.id, id)))

/**
 * Notices whose message in the company of the notification centre has an outcome. Each looks its message up (lateral): joined
 * otherwise, all messages would be read while the planner believes that there are many notices.
 */
export function noticeMessageOf(sql: Sql, most: number, passed: number[] = []) {
  const message = sql
    .select({ ack: messages.ack, reason: messages.failReason })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, billingNotices.centreId),
        eq(messages.id, billingNotices.id),
        ne(messages.ack, WAITING),
      ),
    )
    .limit(1)
    .as('message')
  return sql
    .select({
      companyId: billingNotices.companyId,
      id: billingNotices.id,
      ack: message.ack,
      reason: message.reason,
    })
    .from(billingNotices)
    .crossJoinLateral(message)
    .where(
      and(
        inState(billingNotices.state, 'leaving'),
        inState(billingNotices.platform, 'wpp'),
        outside(billingNotices.companyId, passed),
      ),
    )
    .limit(most)
}

/** Companies with unpaid invoices. */
export async function owingCompanies(sql: Sql): Promise<number[]> {
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`select c.id from companies c where c.leaving_at is null
      and exists (select from invoices i where i.company_id = c.id and i.status in ('PENDING', 'OVERDUE'))
      order by c.id`,
  )
  return rows.map(({ id }) => id)
}
