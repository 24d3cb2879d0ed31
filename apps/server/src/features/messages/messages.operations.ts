import { FAILED, signatureOf } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { askStanding } from '../companies/companies.standing.ts'
import { findReadable } from '../tickets/tickets.queries.ts'
import { mediaWanted, operationRequested } from './messages.events.ts'
import { loadMessage, lockMessage, type MessageRow } from './messages.queries.ts'
import { saveMessage } from './messages.save.ts'
import { messageOperations } from './messages.table.ts'
import { neverLeft, withdrawMessage } from './messages.withdraw.ts'

/** WhatsApp changes a text for 15 minutes, and deletes a message for everyone for two days and a half. */
const EDIT_MS = 15 * 60_000
const DELETE_MS = 60 * 3_600_000
/** A reaction is one emoji, whatever it is composed of. */
const EMOJI = /^\p{RGI_Emoji}$/v

/**
 * Deletes one of the own messages for everyone: it is marked once the network agreed, or at once when it failed; one
 * that never left goes altogether.
 * Refuses with ERR_FETCH_WAPP_MSG when there is none, ERR_DELETE_WAPP_MSG when it can no longer be deleted.
 */
export const deleteForEveryone = (scope: Scope, messageId: string): Promise<Message> =>
  scope.transaction(async tx => {
    const message = await ownMessage(tx, messageId)
    if (message.isDeleted) return refuse('ERR_DELETE_WAPP_MSG')
    if (neverLeft(message)) return withdrawMessage(tx, message)
    if (message.outbox === 'queued' || message.outbox === 'failed')
      return saveMessage(tx, message, { isDeleted: true, outbox: 'failed', ack: FAILED, failReason: '' })
    if (message.whatsappId === null || age(message) > DELETE_MS) return refuse('ERR_DELETE_WAPP_MSG')
    await ask(tx, message, 'delete')
    return saveMessage(tx, message, { failReason: '' })
  })

/** Changes a text or a caption. Refuses with ERR_FETCH_WAPP_MSG, ERR_EDIT_WAPP_MSG when it is too late or not text. */
export const changeText = (scope: Scope, messageId: string, body: string): Promise<Message> =>
  scope.transaction(async tx => {
    const message = await ownMessage(tx, messageId)
    const isText = message.mediaType === null || (message.media !== null && message.body !== '')
    const left = message.ack !== FAILED && message.whatsappId !== null
    if (message.isDeleted || !isText || !left || age(message) > EDIT_MS) return refuse('ERR_EDIT_WAPP_MSG')
    const text = signedLike(message.body, body)
    if (text !== message.body) await ask(tx, message, 'edit', text)
    return saveMessage(tx, message, { failReason: '' })
  })

/** The company's reaction, at once; an empty one takes it off. Refuses with ERR_FETCH_WAPP_MSG. */
export const reactToMessage = (scope: Scope, messageId: string, emoji: string): Promise<Message> =>
  scope.transaction(async tx => {
    if (emoji && !EMOJI.test(emoji))
      return refuse('ERR_BAD_REQUEST', { field: 'emoji', message: 'One emoji' })
    const message = await visibleMessage(tx, messageId)
    if (message.isDeleted || message.ack === FAILED || message.whatsappId === null)
      return refuse('ERR_FETCH_WAPP_MSG')
    await tx.sql
      .delete(messageOperations)
      .where(
        and(
          eq(messageOperations.companyId, tx.companyId),
          eq(messageOperations.messageId, messageId),
          eq(messageOperations.what, 'react'),
        ),
      )
    await ask(tx, message, 'react', emoji)
    return saveMessage(tx, message, {
      reactions: reacted(message, emoji, viewerOf(scope).name),
      failReason: '',
    })
  })

/** Tries again to fetch a file that could not be had. Refuses with ERR_FETCH_WAPP_MSG when there is none to fetch. */
export const fetchAgain = (scope: Scope, messageId: string): Promise<Message> =>
  scope.transaction(async tx => {
    const message = await visibleMessage(tx, messageId)
    const { media, mediaSource, whatsappId } = message
    if (!media) return refuse('ERR_FETCH_WAPP_MSG')
    if (!mediaSource || whatsappId === null) return refuse('ERR_WAPP_DOWNLOAD_MEDIA')
    tx.emit(mediaWanted, { whatsappId })
    return saveMessage(tx, message, {
      media: { ...media, state: 'loading' },
      mediaAttempts: 0,
      mediaDue: new Date().toISOString(),
    })
  })

export interface OperationRow {
  id: number
  messageId: string
  what: 'delete' | 'edit' | 'react'
  value: string
}

/** The network did it: now the message says so. */
export async function applyOperation(tx: Tx, { id, messageId, what, value }: OperationRow): Promise<void> {
  const message = await lockMessage(tx, messageId)
  await forget(tx, id)
  if (!message) return
  if (what === 'delete') await saveMessage(tx, message, { isDeleted: true, failReason: '' })
  // an earlier one that was refused meanwhile took the mark off
  if (what === 'react' && mine(message) !== value)
    await saveMessage(tx, message, { reactions: reacted(message, value, '') })
  if (what === 'edit') await saveMessage(tx, message, { body: value, editedAt: new Date().toISOString() })
}

/** The network would not: the message stays as it is and says why; a reaction that showed already goes. */
export async function refuseOperation(
  tx: Tx,
  { id, messageId, what }: OperationRow,
  reason: string,
): Promise<void> {
  const message = await lockMessage(tx, messageId)
  await forget(tx, id)
  if (!message) return
  // a driver that only says "refused" does not know what was asked of it
  const isPlain = reason === '' || reason === 'ERR_SENDING_WAPP_MSG'
  await saveMessage(tx, message, {
    failReason: isPlain ? REFUSED[what] : reason,
    ...(what === 'react' && { reactions: reacted(message, '', '') }),
  })
}

const REFUSED = {
  delete: 'ERR_DELETE_WAPP_MSG',
  edit: 'ERR_EDIT_WAPP_MSG',
  react: 'ERR_SENDING_WAPP_MSG',
} as const

/** Leaves by the network as a message does. Refuses with ERR_COMPANY_SUSPENDED. */
async function ask(tx: Tx, message: MessageRow, what: OperationRow['what'], value = '') {
  await askStanding(tx)
  const whatsappId = message.whatsappId!
  await tx.sql
    .insert(messageOperations)
    .values({ companyId: tx.companyId, whatsappId, messageId: message.id, what, value })
  tx.emit(operationRequested, { whatsappId, messageId: message.id })
}

const forget = (tx: Tx, id: number) =>
  tx.sql
    .delete(messageOperations)
    .where(and(eq(messageOperations.companyId, tx.companyId), eq(messageOperations.id, id)))

/** A message in a ticket that the caller may read, locked. */
async function visibleMessage(tx: Tx, messageId: string): Promise<MessageRow> {
  const shown = (await loadMessage(tx, messageId)) ?? refuse('ERR_FETCH_WAPP_MSG')
  await findReadable(tx, shown.ticketId)
  return (await lockMessage(tx, messageId)) ?? refuse('ERR_FETCH_WAPP_MSG')
}

async function ownMessage(tx: Tx, messageId: string) {
  const message = await visibleMessage(tx, messageId)
  return message.fromMe ? message : refuse('ERR_FETCH_WAPP_MSG')
}

const age = ({ createdAt }: MessageRow) => Date.now() - Date.parse(createdAt)

/** What was signed stays signed. */
function signedLike(former: string, body: string) {
  const signature = signatureOf(former)
  return body.startsWith(signature) ? body : signature + body
}

const mine = ({ reactions }: MessageRow) => reactions.find(({ by }) => by === 'me')?.emoji ?? ''

const reacted = ({ reactions }: MessageRow, emoji: string, name: string) => [
  ...reactions.filter(({ by }) => by !== 'me'),
  { by: 'me', emoji, name, at: new Date().toISOString() },
]
