import { FAILED, mayRewrite, signatureOf } from '@balcao/contract/messages.rules.ts'
import { type Message, PIN_SECONDS, type PinSpan } from '@balcao/contract/messages.ts'
import type { Mentioned } from '../../../driver.content.ts'
import { databaseNow, databaseTime } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { readAccountStatus } from '../../companies/companies.status.queries.ts'
import { correctedAt } from '../../contacts/contacts.queries.ts'
import { blankMessage, lockReadable, rewriteMessage, saveMessage } from '../messages.actions.ts'
import { mediaWanted, operationRequested } from '../messages.events.ts'
import { AT_ONCE, lockMessage, type MessageRow } from '../messages.queries.ts'
import { stillMentioned, withMentions } from '../outbox/members.actions.ts'
import { neverLeft, withdrawMessage } from '../outbox/withdraw.actions.ts'
import { mayPin } from '../thread/pins.actions.ts'
import {
  deleteOperation,
  deleteWaiting,
  insertOperation,
  type OperationRow,
  operationsOfContact,
} from './operations.queries.ts'
import { applyPin } from './pins.actions.ts'

/** Limits of WhatsApp: a text is changed within 15 minutes, a message deleted for everyone within two days and a half. */
const EDIT_MS = 15 * 60_000
const DELETE_MS = 60 * 3_600_000
/** A reaction is one emoji, whatever it is composed of. */
const EMOJI = /^\p{RGI_Emoji}$/v

/**
 * Deletes one of the own messages for everyone: it is marked once the network agreed, or at once when it failed; one
 * that never left is removed.
 * Refuses with ERR_FETCH_WAPP_MSG when there is none, ERR_NO_PERMISSION where it is another's and the caller is no admin,
 * ERR_DELETE_WAPP_MSG when it can no longer be deleted.
 */
export const deleteForEveryone = (scope: Scope, messageId: string): Promise<Message> =>
  scope.transaction(async tx => {
    const message = await lockRewritable(tx, messageId)
    if (message.isDeleted) return refuse('ERR_DELETE_WAPP_MSG')
    if (neverLeft(message)) {
      tx.note('a user withdraws a message', { messageId, by: viewerOf(tx).id, of: message.userId })
      return withdrawMessage(tx, message)
    }
    if ((message.waits && message.outbox === 'queued') || message.ack === FAILED)
      return blankMessage(tx, message, viewerOf(tx).id, {
        waits: false,
        outbox: null,
        ack: FAILED,
        failReason: '',
      })
    if (message.whatsappId === null || age(message) > DELETE_MS) return refuse('ERR_DELETE_WAPP_MSG')
    await request(tx, message, 'delete')
    return saveMessage(tx, message, { failReason: '' })
  })

/**
 * Changes a text or a caption, for its author or an admin. In a group it mentions whom it mentioned, and the members `mentions`,
 * as far as their names stand in it. Refuses with ERR_FETCH_WAPP_MSG, ERR_NO_PERMISSION, and
 * ERR_EDIT_WAPP_MSG when it is too late or not text.
 */
export const changeText = (
  scope: Scope,
  messageId: string,
  { body, mentions = [] }: { body: string; mentions?: string[] | undefined },
): Promise<Message> =>
  scope.transaction(async tx => {
    const message = await lockRewritable(tx, messageId)
    const isText = message.mediaType === null || (message.media !== null && message.body !== '')
    const left = message.ack !== FAILED && message.whatsappId !== null
    if (message.isDeleted || !isText || !left || age(message) > EDIT_MS) return refuse('ERR_EDIT_WAPP_MSG')
    const text = signedLike(message.body, body)
    if (text !== message.body)
      await request(tx, message, 'edit', text, await stillMentioned(tx, message, text, mentions))
    return saveMessage(tx, message, { failReason: '' })
  })

/** The company's reaction, shown at once; an empty one removes it. Refuses with ERR_FETCH_WAPP_MSG. */
export const reactToMessage = (scope: Scope, messageId: string, emoji: string): Promise<Message> =>
  scope.transaction(async tx => {
    if (emoji && !EMOJI.test(emoji))
      return refuse('ERR_BAD_REQUEST', { field: 'emoji', message: 'One emoji' })
    const message = await lockAtNetwork(tx, messageId)
    await deleteWaiting(tx, messageId, 'react')
    await request(tx, message, 'react', emoji)
    return saveMessage(tx, message, {
      reactions: withReaction(message, emoji, viewerOf(scope).name),
      failReason: '',
    })
  })

/** Pins a message for everyone, or takes the pin off with null. Refuses with ERR_FETCH_WAPP_MSG, ERR_WAPP_UNSUPPORTED. */
export const pinMessage = (scope: Scope, messageId: string, span: PinSpan | null): Promise<Message> =>
  scope.transaction(async tx => {
    const message = await lockAtNetwork(tx, messageId)
    if (message.mediaType === 'chat_event') return refuse('ERR_FETCH_WAPP_MSG')
    if (!(await mayPin(tx, message.whatsappId))) return refuse('ERR_WAPP_UNSUPPORTED')
    await deleteWaiting(tx, messageId, 'pin')
    await request(tx, message, 'pin', `${span === null ? 0 : PIN_SECONDS[span]}`)
    return saveMessage(tx, message, { failReason: '' })
  })

/** Fetches a file again that could not be fetched. Refuses with ERR_FETCH_WAPP_MSG, ERR_WAPP_DOWNLOAD_MEDIA. */
export const fetchAgain = (scope: Scope, messageId: string): Promise<Message> =>
  scope.transaction(async tx => {
    const message = await lockReadable(tx, messageId)
    const { media, mediaSource, whatsappId } = message
    if (!media) return refuse('ERR_FETCH_WAPP_MSG')
    if (!mediaSource || whatsappId === null) return refuse('ERR_WAPP_DOWNLOAD_MEDIA')
    tx.emit(mediaWanted, { whatsappId })
    return saveMessage(tx, message, {
      media: { ...media, state: 'loading' },
      mediaAttempts: 0,
      mediaDue: AT_ONCE,
    })
  })

/** Applies an operation that the network accepted to its message. */
export async function applyOperation(
  tx: Tx,
  { id, messageId, what, value, mentions, userId }: OperationRow,
): Promise<void> {
  const message = await lockMessage(tx, messageId)
  await deleteOperation(tx, id)
  if (!message) return
  if (what === 'delete' && !message.isDeleted) await blankMessage(tx, message, userId, { failReason: '' })
  // an earlier reaction that was refused meanwhile removed the mark
  if (what === 'react' && ownReaction(message) !== value)
    await saveMessage(tx, message, { reactions: withReaction(message, value, '') })
  if (what === 'pin' && !message.isDeleted)
    await applyPin(tx, message, { id, seconds: Number(value), userId })
  if (what === 'edit' && !message.isDeleted)
    await rewriteMessage(tx, message, {
      ...{ body: value, editedAt: databaseTime(), userId },
      ...withMentions(message, mentions),
    })
}

/** The network refused an operation: the message keeps the reason; a reaction that was shown is removed. */
export async function refuseOperation(
  tx: Tx,
  { id, messageId, what }: OperationRow,
  reason: string,
): Promise<void> {
  const message = await lockMessage(tx, messageId)
  await deleteOperation(tx, id)
  if (!message) return
  // drivers answer the same general code for every kind of operation
  const isGeneral = reason === '' || reason === 'ERR_SENDING_WAPP_MSG'
  await saveMessage(tx, message, {
    failReason: isGeneral ? REFUSED[what] : reason,
    ...(what === 'react' && { reactions: withReaction(message, '', '') }),
  })
}

const REFUSED = {
  delete: 'ERR_DELETE_WAPP_MSG',
  edit: 'ERR_EDIT_WAPP_MSG',
  react: 'ERR_SENDING_WAPP_MSG',
  pin: 'ERR_PIN_WAPP_MSG',
} as const

/** The number of a contact was corrected: operations on messages to the previous number are refused. */
export async function refuseOperationsOf(tx: Tx, contactId: number): Promise<void> {
  for (const operation of await operationsOfContact(tx, contactId)) await refuseOperation(tx, operation, '')
}

/**
 * Queues an operation for the network. Refuses with ERR_COMPANY_SUSPENDED, and with the code of its kind where the message
 * went to a number that the contact no longer has.
 */
async function request(
  tx: Tx,
  message: MessageRow,
  what: OperationRow['what'],
  value = '',
  mentions: Mentioned[] = [],
) {
  await readAccountStatus(tx)
  const since = await correctedAt(tx, message.contactId)
  if (since !== null && message.createdAt < since) refuse(REFUSED[what])
  const whatsappId = message.whatsappId!
  const { id: messageId } = message
  await insertOperation(tx, {
    ...{ whatsappId, messageId, what, value, userId: tx.viewer?.id ?? null },
    mentions: mentions.length > 0 ? mentions : null,
  })
  tx.emit(operationRequested, { whatsappId, messageId })
}

/** A message of the company that the caller may change and delete: its author, and admins. */
async function lockRewritable(tx: Tx, messageId: string) {
  const message = await lockReadable(tx, messageId)
  if (!message.fromMe || message.isPrivate) return refuse('ERR_FETCH_WAPP_MSG')
  return mayRewrite(viewerOf(tx), message) ? message : refuse('ERR_NO_PERMISSION')
}

/** A message that the caller may read and that the network has, with the connection that it went over. */
async function lockAtNetwork(tx: Tx, messageId: string): Promise<MessageRow & { whatsappId: number }> {
  const message = await lockReadable(tx, messageId)
  const { whatsappId } = message
  if (message.isDeleted || message.isPrivate || message.ack === FAILED || whatsappId === null)
    return refuse('ERR_FETCH_WAPP_MSG')
  return { ...message, whatsappId }
}

const age = ({ createdAt }: MessageRow) => databaseNow() - Date.parse(createdAt)

/** A signed text keeps its signature. */
function signedLike(previous: string, body: string) {
  const signature = signatureOf(previous)
  return body.startsWith(signature) ? body : signature + body
}

const ownReaction = ({ reactions }: MessageRow) => reactions.find(({ by }) => by === 'me')?.emoji ?? ''

const withReaction = ({ reactions }: MessageRow, emoji: string, name: string) => [
  ...reactions.filter(({ by }) => by !== 'me'),
  { by: 'me', emoji, name, at: databaseTime() },
]
