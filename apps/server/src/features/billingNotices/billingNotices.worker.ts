import {
  isOutdated,
  isStillTrue,
  type NoticeKind,
  type NoticeReason,
  noticeText,
  trialNoticeOn,
} from '@balcao/contract/billingNotices.rules.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import { FAILED } from '@balcao/contract/messages.rules.ts'
import { repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import { databaseDate, databaseNow, databaseTime } from '../../platform/clock.ts'
import { together } from '../../platform/postgres/db.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { type RowTools, workOff } from '../../platform/work/due-rows.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { type Centre, leavesNow, notificationCentre } from '../connections/connections.queries.ts'
import { addressee } from '../contacts/contacts.actions.ts'
import { type InvoiceRow, lockInvoice } from '../invoices/invoices.queries.ts'
import { trialOf } from '../invoices/invoices.trial.queries.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { mailOfCause } from '../mails/mails.queries.ts'
import { post } from '../messages/messages.actions.ts'
import { loadMessage, lockChats } from '../messages/messages.queries.ts'
import { ensureKept } from '../tickets/moves/open.actions.ts'
import { reaches, repliesUntilOn } from '../tickets/moves/reach.queries.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import {
  lockNotice,
  type NoticeRow,
  noticeMessageOf,
  noticesDue,
  settleNotice,
} from './billingNotices.queries.ts'
import { recipientOfNotice, recipientsOf } from './billingNotices.recipients.queries.ts'
import { isWanted, leavesFrom, remindsFrom } from './billingNotices.reminders.actions.ts'
import { needsAddress, type TemplateTexts, textsInUse } from './billingNotices.templates.queries.ts'
import { type NoticeInvoice, noticeLetter, trialWords, valuesFor } from './billingNotices.text.ts'

/** How many notices one run handles. */
const AT_ONCE = 100
/** How often (ms) a notice that is held is tried again. */
const AGAIN_MS = 600_000
/** A notice that is sent later (ms) than this was held up: the hours for reminders may be over. */
const HELD_UP_MS = 3_600_000

type SendTools = Pick<DueTools, 'scopes' | 'memory' | 'config' | 'mail' | 'log' | 'stopping'>

/** Sends due notices, each in commits of its own. True when more may wait. */
export function sendDueNotices(tools: SendTools, now = databaseDate()): Promise<boolean> {
  return workOff(tools, {
    name: 'billingNotices',
    atOnce: AT_ONCE,
    find: (sql, most, passed) => noticesDue(sql, now.toISOString(), most, passed),
    run: (scope, { id }) => sendNotice(tools, scope, id, now),
  })
}

interface Sending {
  id: string
  texts: TemplateTexts
  centre: Centre | null
  now: Date
}

async function sendNotice(tools: SendTools, scope: Scope, id: string, now: Date): Promise<void> {
  const [texts, centre] = await tools.scopes.platform().list(sql =>
    together(
      sql,
      () => textsInUse(sql),
      () => notificationCentre(sql),
    ),
  )
  const message = await scope.transaction(tx => settleOrCompose(tx, tools, { id, texts, centre, now }))
  if (!message || !centre) return
  // the connection is another company's: the id makes posting there idempotent
  const refused = await tools.scopes
    .platform()
    .inCompany(centre.companyId)
    .transaction(tx => sendByConnection(tx, centre, { ...message, id }))
  await scope.transaction(tx =>
    refused
      ? settleNotice(tx, id, { state: 'failed', reason: refused })
      : settleNotice(tx, id, { state: 'leaving', reason: '', centreId: centre.companyId }),
  )
}

interface NoticeMessage {
  name: string
  number: string
  text: string
}

/** Writes the e-mail, or drops what is outdated or not wanted; answers the message for WhatsApp. */
async function settleOrCompose(
  tx: Tx,
  { config, mail }: SendTools,
  { id, texts, centre, now }: Sending,
): Promise<NoticeMessage | null> {
  const notice = await lockNotice(tx, id)
  if (!notice) return null
  const words = await wordsOf(tx, notice, now)
  const recipient = recipientOfNotice(await recipientsOf(tx), notice)
  if (!words || !recipient || !isWanted(recipient, notice.platform, notice.kind)) return drop(tx, id, '')
  const first = (await leavesFrom(tx, new Date(notice.createdAt)))(notice.kind)
  if (isOutdated(first, now)) return giveUp(tx, notice)
  const later = await heldUntil(tx, notice, now)
  if (later) return settleLater(tx, id, later)
  if (!config.backendUrl && needsAddress(texts, notice.platform)) return hold(tx, id, 'noAddress', now)
  const values = valuesFor(config.backendUrl, { ...notice, contactName: recipient.contactName }, words)
  if (notice.platform === 'email') {
    if (!mail.isSetUp) return drop(tx, id, 'ERR_NO_MAIL')
    await writeMail(tx, { cause: mailCauseOf(id), to: recipient.email, letter: noticeLetter(texts, values) })
    await settleNotice(tx, id, { state: 'leaving', reason: '' })
    return null
  }
  if (!centre) return drop(tx, id, 'ERR_NO_DEF_WAPP_FOUND')
  if (!centre.isConnected) return hold(tx, id, 'ERR_WAPP_NOT_INITIALIZED', now)
  return { name: recipient.contactName, number: recipient.whatsapp, text: noticeText(texts.textWp, values) }
}

/** The subject of a notice; null where it is not true any more. */
async function wordsOf(tx: Tx, notice: NoticeRow, now: Date): Promise<NoticeInvoice | null> {
  const { kind, invoiceId, trialEndsOn } = notice
  const today = await dayThere(tx, now)
  if (invoiceId === null) {
    const trial = await trialOf(tx, now)
    return trial?.end === trialEndsOn && trialNoticeOn(today, trial.end) === kind ? trialWords(trial) : null
  }
  // under the lock of the invoice: a payment at this moment prevents the reminder
  const invoice: InvoiceRow = await lockInvoice(tx, invoiceId)
  const isOver = announcesDay(kind) && invoice.dueDate < today
  return isStillTrue(kind, invoice) && !isOver ? invoice : null
}

const mailCauseOf = (noticeId: string) => `notice:${noticeId}`
const noticeOf = (cause: string) => (cause.startsWith('notice:') ? cause.slice('notice:'.length) : null)

async function drop(tx: Tx, id: string, reason: '' | ErrorCode | NoticeReason): Promise<null> {
  await settleNotice(tx, id, { state: 'dropped', reason })
  return null
}

/** These kinds announce the due day: they are wrong after it. */
const announcesDay = (kind: NoticeKind) => kind === 'invoiceBefore' || kind === 'invoiceDay'

/** When reminders may be sent again, for one that was held up into the night; null for what may be sent now. */
async function heldUntil(tx: Tx, { kind, createdAt }: NoticeRow, now: Date): Promise<string | null> {
  const isHeldUp = now.getTime() - Date.parse(createdAt) > HELD_UP_MS
  if (kind === 'invoiceConfirmedPayment' || !isHeldUp) return null
  const opens = await remindsFrom(tx, now)
  return Date.parse(opens) > now.getTime() ? opens : null
}

async function settleLater(tx: Tx, id: string, dueAt: string): Promise<null> {
  await settleNotice(tx, id, { dueAt })
  return null
}

async function hold(tx: Tx, id: string, reason: ErrorCode | NoticeReason, now: Date): Promise<null> {
  await settleNotice(tx, id, { reason, dueAt: new Date(now.getTime() + AGAIN_MS).toISOString() })
  return null
}

/** It would be read as of today. What held it stays as its reason. */
async function giveUp(tx: Tx, { id, reason }: NoticeRow): Promise<null> {
  if (reason === '') return drop(tx, id, 'late')
  await settleNotice(tx, id, { state: 'failed' })
  return null
}

/**
 * Posts into the outbox of the notification centre, on a closed ticket; idempotent by the id. Answers why nothing may be
 * sent, or null.
 */
export async function sendByConnection(
  tx: Tx,
  { whatsappId }: Centre,
  { id, name, number, text }: NoticeMessage & { id: string },
): Promise<ErrorCode | null> {
  if (!(await leavesNow(tx, whatsappId))) return 'ERR_WAPP_NOT_INITIALIZED'
  await lockChats(tx, whatsappId, [number])
  if (await loadMessage(tx, id)) return null
  const contact = await addressee(tx, number, name)
  if (!(await reaches(tx, contact.id, whatsappId))) return 'ERR_WAPP_INVALID_CONTACT'
  if (repliesAreOver(await repliesUntilOn(tx, contact.id, whatsappId), databaseNow()))
    return 'ERR_WAPP_WINDOW_CLOSED'
  const ticketId = await ensureKept(tx, contact, whatsappId)
  const ticket = (await loadTicket(tx, ticketId))!
  const to = { ticketId, contactId: contact.id, whatsappId, userId: null }
  const draft = { ...to, id, source: 'notice' as const, body: text, createdAt: databaseTime() }
  // a customer who waits for an answer still does
  await post(tx, [draft], ticket.waitingSince === null ? 'answer' : 'aside')
  return null
}

/** The e-mail of a notice was sent, or finally refused. */
export async function onMailOutcome(tx: Tx, cause: string): Promise<void> {
  const id = noticeOf(cause)
  if (id === null) return
  const mail = await mailOfCause(tx, mailCauseOf(id))
  if (mail?.state === 'sent') await settleNotice(tx, id, { state: 'sent', sentAt: databaseTime() })
  if (mail?.state === 'failed') await settleNotice(tx, id, { state: 'failed', reason: mail.reason })
}

/** Copies the outcome of messages from the company of the centre, which the reminded company cannot read. */
export const settleNoticeMessage = (tools: RowTools): Promise<boolean> =>
  workOff(tools, {
    name: 'billingNotices.outcome',
    atOnce: AT_ONCE,
    find: noticeMessageOf,
    run: (scope, { id, ack, reason }) =>
      scope.transaction(tx =>
        settleNotice(
          tx,
          id,
          ack === FAILED ? { state: 'failed', reason } : { state: 'sent', sentAt: databaseTime() },
        ),
      ),
  })
