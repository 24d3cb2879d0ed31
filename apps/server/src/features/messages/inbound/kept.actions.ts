import type { Tx } from '../../../platform/scope.ts'
import { recognize } from '../../contacts/contacts.actions.ts'
import { ensureKept } from '../../tickets/moves/open.actions.ts'
import { saveMessage } from '../messages.actions.ts'
import { companyWrote, messageCreated, phoneWriting } from '../messages.events.ts'
import { insertMessages } from '../messages.queries.ts'
import { lastQuestionAt, lockByExternalId, quotedIdOf } from './inbound.queries.ts'
import { type InboundMessage, type InboundRow, messageRowOf } from './inbound.rules.ts'

/** Keeps an event without a known target as a message, once. */
export async function keepAside(
  tx: Tx,
  whatsappId: number,
  event: InboundMessage,
  editedAt: string | null = null,
): Promise<number | null> {
  const { chat, fromMe, name, externalId, body } = event
  const known = await lockByExternalId(tx, whatsappId, externalId, { fromMe })
  if (known) {
    await saveMessage(tx, known, { body, isDeleted: body === '' })
    return known.ticketId
  }
  if (body === '') return null
  const contact = await recognize(tx, chat, fromMe ? '' : name)
  const row = messageRowOf({ companyId: tx.companyId, whatsappId, contactId: contact.id }, event, {
    isDeleted: false,
    quotedId: await quotedIdOf(tx, whatsappId, event),
  })
  return keepMessage(tx, whatsappId, contact, { ...row, editedAt }, 'aside')
}

/** Inserts a message that does not open a ticket: typed on the company's phone, or known only by its reaction or edit. */
export async function keepMessage(
  tx: Tx,
  whatsappId: number,
  contact: { id: number; isGroup: boolean },
  row: InboundRow & { editedAt?: string | null },
  effect: 'answer' | 'aside',
): Promise<number> {
  const ticketId = await ensureKept(tx, contact, whatsappId)
  const isAnswer = effect === 'answer' && !(await isAside(tx, ticketId, row))
  const [stored] = await insertMessages(tx, [
    { row: { ...row, ticketId }, effect: isAnswer ? 'answer' : 'aside' },
  ])
  tx.emit(messageCreated, stored)
  if (isAnswer) await tx.involve(companyWrote, { ticketIds: [ticketId] })
  return ticketId
}

/** A phone's own greeting follows the customer's message so soon. */
const QUICK_MS = 5_000

async function isAside(tx: Tx, ticketId: number, { mediaType, createdAt }: InboundRow): Promise<boolean> {
  if (mediaType !== null) return false
  const asked = await lastQuestionAt(tx, ticketId)
  const since = asked === null ? Number.POSITIVE_INFINITY : Date.parse(createdAt) - Date.parse(asked)
  const writing = { ticketId, isQuick: Math.abs(since) <= QUICK_MS, isAside: false }
  await tx.involve(phoneWriting, writing)
  return writing.isAside
}
