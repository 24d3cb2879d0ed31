import { isStillTrue, type NoticeKind, noticeText } from '@balcao/contract/billingNotices.rules.ts'
import { repliesAreOver } from '@balcao/contract/cloud.rules.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import type { Sql } from '../../platform/db.ts'
import type { DueTools } from '../../platform/due.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, lte } from '../../platform/sql.ts'
import { type Centre, connectionsUnderWay, notificationCentre } from '../connections/connections.queries.ts'
import { recognize } from '../contacts/contacts.actions.ts'
import { dayThere, type InvoiceRow, lockInvoice } from '../invoices/invoices.queries.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { post } from '../messages/messages.actions.ts'
import { loadMessage, lockChat } from '../messages/messages.queries.ts'
import { reaches } from '../tickets/tickets.checks.ts'
import { ensureKept } from '../tickets/tickets.open.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { repliesUntilOn } from '../tickets/tickets.window.ts'
import { contactsOf } from './billingNotices.contacts.ts'
import { isWanted, remindsFrom } from './billingNotices.plan.ts'
import { billingNotices } from './billingNotices.table.ts'
import { type TemplateWords, wordsInUse } from './billingNotices.templates.ts'
import { noticeLetter, valuesFor } from './billingNotices.words.ts'

/** So many are looked at before it is looked again. */
const AT_ONCE = 100
/** A centre that is away is asked for again after so long, for so many days. */
const AGAIN_MS = 600_000
const PATIENCE_MS = 3 * 86_400_000
/** What leaves later than this was held up: the hours of the day may be over. */
const HELD_UP_MS = 3_600_000

export type NoticeRow = typeof billingNotices.$inferSelect
type SendTools = Pick<DueTools, 'scopes' | 'config' | 'mail' | 'stopping'>

/** What is due leaves, each notice in commits of its own. True when more may wait. */
export async function sendDueNotices(tools: SendTools, now = new Date()): Promise<boolean> {
  const platform = tools.scopes.platform()
  const due = await platform.transaction(sql => noticesDue(sql, now))
  if (due.length === 0) return false
  const [words, centre] = await platform.transaction(async sql => [
    await wordsInUse(sql),
    await notificationCentre(sql),
  ])
  for (const { companyId, id } of due) {
    if (tools.stopping()) return false
    await sendNotice(tools, { scope: platform.inCompany(companyId), id, words, centre, now })
  }
  return due.length === AT_ONCE
}

const noticesDue = (sql: Sql, now: Date) =>
  sql
    .select({ companyId: billingNotices.companyId, id: billingNotices.id })
    .from(billingNotices)
    .where(and(eq(billingNotices.state, 'waiting'), lte(billingNotices.dueAt, now.toISOString())))
    .orderBy(billingNotices.dueAt)
    .limit(AT_ONCE)

interface Sending {
  scope: Scope
  id: string
  words: TemplateWords
  centre: Centre | null
  now: Date
}

async function sendNotice(tools: SendTools, sending: Sending): Promise<void> {
  const { scope, id, centre } = sending
  const speech = await scope.transaction(tx => settleOrSpeak(tx, tools, sending))
  if (!speech || !centre) return
  // the connection is another company's: what was posted there is there once, by its id
  const said = await tools.scopes
    .platform()
    .inCompany(centre.companyId)
    .transaction(tx => sayByCentre(tx, centre, { ...speech, id }))
  await scope.transaction(tx =>
    said
      ? settleNotice(tx, id, { state: 'failed', reason: said })
      : settleNotice(tx, id, { state: 'leaving', centreId: centre.companyId }),
  )
}

interface Speech {
  name: string
  number: string
  text: string
}

/** A letter is written, what is not to be said is dropped; what goes by WhatsApp is answered. */
async function settleOrSpeak(
  tx: Tx,
  { config, mail }: SendTools,
  { id, words, centre, now }: Sending,
): Promise<Speech | null> {
  const notice = await lockNotice(tx, id)
  if (!notice) return null
  // behind the invoice's lock: who pays it at this moment is not reminded afterwards
  const invoice: InvoiceRow = await lockInvoice(tx, notice.invoiceId)
  const contact = (await contactsOf(tx.sql, tx.companyId)).find(one => one.id === notice.contactId)
  if (!contact || !isWanted(contact, notice.platform, notice.kind) || !isStillTrue(notice.kind, invoice))
    return drop(tx, id, '')
  if (speaksOfDayAhead(notice.kind) && invoice.dueDate < (await dayThere(tx, now))) return drop(tx, id, '')
  const later = await wokenAt(tx, notice, now)
  if (later) return settleLater(tx, id, later)
  const values = valuesFor(config.backendUrl, { ...notice, contactName: contact.contactName }, invoice)
  if (notice.platform === 'email') {
    if (!mail.isSetUp) return drop(tx, id, 'ERR_NO_MAIL')
    await writeMail(tx, { cause: mailCauseOf(id), to: contact.email, letter: noticeLetter(words, values) })
    await settleNotice(tx, id, { state: 'leaving' })
    return null
  }
  if (!centre) return drop(tx, id, 'ERR_NO_DEF_WAPP_FOUND')
  if (!centre.isUnderWay) return putOff(tx, notice, now)
  return { name: contact.contactName, number: contact.whatsapp, text: noticeText(words.textWp, values) }
}

export const mailCauseOf = (noticeId: string) => `notice:${noticeId}`
export const noticeOf = (cause: string) =>
  cause.startsWith('notice:') ? cause.slice('notice:'.length) : null

async function drop(tx: Tx, id: string, reason: '' | ErrorCode): Promise<null> {
  await settleNotice(tx, id, { state: 'dropped', reason })
  return null
}

/** What was held up until its day was over would say that it is due today, or will be. */
const speaksOfDayAhead = (kind: NoticeKind) => kind === 'invoiceBefore' || kind === 'invoiceDay'

/** When the day begins, for a reminder that was held up into the night; null for what may leave now. */
async function wokenAt(tx: Tx, { kind, createdAt }: NoticeRow, now: Date): Promise<string | null> {
  const isHeldUp = now.getTime() - Date.parse(createdAt) > HELD_UP_MS
  if (kind === 'invoiceConfirmedPayment' || !isHeldUp) return null
  const opens = await remindsFrom(tx, now)
  return Date.parse(opens) > now.getTime() ? opens : null
}

async function settleLater(tx: Tx, id: string, dueAt: string): Promise<null> {
  await settleNotice(tx, id, { dueAt })
  return null
}

async function putOff(tx: Tx, { id, createdAt }: NoticeRow, now: Date): Promise<null> {
  const isOver = now.getTime() - Date.parse(createdAt) > PATIENCE_MS
  if (isOver) await settleNotice(tx, id, { state: 'failed', reason: 'ERR_WAPP_NOT_INITIALIZED' })
  else await settleNotice(tx, id, { dueAt: new Date(now.getTime() + AGAIN_MS).toISOString() })
  return null
}

/** Null when it left already, or another worker holds it. */
async function lockNotice(tx: Tx, id: string): Promise<NoticeRow | null> {
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
 * Into the outbox of the notification centre, on a ticket that disturbs nobody; what is there under this id already is
 * not said again. Answers why nothing may leave, or null.
 */
export async function sayByCentre(
  tx: Tx,
  { whatsappId }: Centre,
  { id, name, number, text }: Speech & { id: string },
): Promise<ErrorCode | null> {
  if (!(await connectionsUnderWay(tx)).includes(whatsappId)) return 'ERR_WAPP_NOT_INITIALIZED'
  await lockChat(tx, `${whatsappId} ${number}`)
  if (await loadMessage(tx, id)) return null
  const contact = await recognize(tx, { kind: 'phone', value: number }, name)
  if (!(await reaches(tx, contact.id, whatsappId))) return 'ERR_WAPP_INVALID_CONTACT'
  if (repliesAreOver(await repliesUntilOn(tx, contact.id, whatsappId), Date.now()))
    return 'ERR_WAPP_WINDOW_CLOSED'
  const ticketId = await ensureKept(tx, contact, whatsappId)
  const ticket = (await loadTicket(tx, ticketId))!
  await post(
    tx,
    {
      ...{ id, ticketId, contactId: contact.id, whatsappId, userId: null, source: 'notice' },
      ...{ body: text, createdAt: new Date().toISOString() },
    },
    // who waits for an answer still does
    ticket.waitingSince === null ? 'answer' : 'aside',
  )
  return null
}
