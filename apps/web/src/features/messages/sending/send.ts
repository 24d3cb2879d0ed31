import type { PollData, PollInput } from '@balcao/contract/kinds.ts'
import { sign, WAITING } from '@balcao/contract/messages.rules.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { call } from '../../../platform/call.ts'
import { ownerOf } from '../../../platform/drafts.ts'
import { newId } from '../../../platform/ids.ts'
import { type Attachment, holdFile, letGo, mediaOf } from '../../media/upload.ts'
import { customerOf } from '../../media/words.ts'
import { ANSWERED, newestPosition } from '../messages.answers.ts'
import { changeThread, put, showNewest, threadNow } from '../messages.api.ts'
import {
  behindAll,
  dropWaiting,
  findWaiting,
  keepWaiting,
  type Waiting,
  type Words,
  waitingIn,
} from '../messages.waiting.ts'
import { sendWaiting } from './queue.ts'

type Content = Omit<Words, 'quotedMsg'>
/** What was written, and which draft it was. */
type Typed = Pick<Words, 'draftAt' | 'mentions'> & { body: string }

/**
 * Shows a message at once and sends it after the previous ones. Its id, chosen here, is an idempotency key.
 */
export function sendMessage(ticket: Ticket, viewer: Viewer, content: Typed, quoted: Message | null): void {
  sendBehind(unsentOf(ticket, viewer, content.body, quoted), viewer, content)
}

/**
 * Sends files, one message each; the text is the caption of the first that is no sticker, else a message
 * after them.
 */
export function sendFiles(
  ticket: Ticket,
  viewer: Viewer,
  files: Omit<Attachment, 'key'>[],
  { body: words, draftAt }: Typed,
  quoted: Message | null,
): void {
  const under = files.findIndex(({ asSticker }) => !asSticker)
  // without words the first file is what the draft became: it may have answered to a message
  const bearer = words ? under : 0
  for (const [at, attachment] of files.entries()) {
    const { kind, file, asSticker: isSticker = false } = attachment
    const body = at === under ? words : ''
    const message = unsentOf(ticket, viewer, body, at === 0 ? quoted : null)
    const media = mediaOf(attachment, false)
    const mediaType = isSticker ? 'sticker' : kind
    sendBehind(
      { ...message, mediaType, media },
      viewer,
      { body, isSticker, ...(at === bearer && { draftAt }) },
      file,
    )
  }
  if (under < 0 && words) sendMessage(ticket, viewer, { body: words, draftAt }, null)
}

/** Sends a recording as a voice message. */
export function sendVoice(
  ticket: Ticket,
  viewer: Viewer,
  file: File,
  seconds: number,
  quoted: Message | null,
): void {
  const message = unsentOf(ticket, viewer, '', quoted)
  const media = mediaOf({ file, kind: 'audio', width: null, height: null, seconds }, true)
  sendBehind({ ...message, mediaType: 'audio', media }, viewer, { body: '', isVoice: true }, file)
}

/**
 * Sends content known to the server (a saved location, contacts), shown as `data` until the server answers.
 */
export function sendKnown(
  ticket: Ticket,
  viewer: Viewer,
  known: Pick<Content, 'locationId' | 'contactIds'>,
  data: object,
  quoted: Message | null,
): void {
  const mediaType = known.contactIds ? 'vcard' : 'location'
  const message = unsentOf(ticket, viewer, '', quoted)
  sendBehind({ ...message, mediaType, dataJson: JSON.stringify(data) }, viewer, known)
}

/** Asks by a poll; the question is not signed. */
export function sendPoll(ticket: Ticket, viewer: Viewer, poll: PollInput, quoted: Message | null): void {
  const { question, options: choices, isMultiple = false } = poll
  const message = unsentOf(ticket, viewer, '', quoted)
  const data: PollData = { choices, isMultiple, votes: [] }
  sendBehind({ ...message, body: question, mediaType: 'poll', dataJson: JSON.stringify(data) }, viewer, {
    poll,
  })
}

/** Sends a template that the business had approved, with the file of its header. Throws ApiError. */
export async function sendTemplate(
  ticket: Ticket,
  viewer: Viewer,
  content: Pick<(typeof messages.send.body)['_input'], 'id' | 'template' | 'body'>,
  file: File | null,
): Promise<void> {
  const body = { ...content, ticketId: ticket.id, fromMe: true }
  const params = { ticketId: ticket.id, companyId: viewer.companyId }
  put(await call(messages.send, { params, body, ...(file && { files: { medias: file } }) }))
}

/** Shows a message, and sends it after those before it. */
export function sendBehind(message: Message, viewer: Viewer, content: Content, file: File | null = null) {
  const { id, ticketId, media } = message
  if (file && media) holdFile(id, file, media)
  const words = { ...content, quotedMsg: message.quotedMsg?.id ?? null }
  const known = threadNow(ticketId)?.messages.findLast(({ version }) => version > 0)
  const since = known?.position ?? 0
  keepWaiting({ id, owner: ownerOf(viewer), ticketId, message, words, file, since })
  put(message)
  void showNewest(ticketId).catch(error => console.warn('the newest messages did not come', error))
  sendWaiting(ticketId)
}

/** A message as shown before the server has it: version 0. */
export function unsentOf(ticket: Ticket, viewer: Viewer, body: string, quoted: Message | null): Message {
  const isSigned = viewer.signMessage && !viewer.authorization.disableSignature
  return {
    id: newId(),
    ticketId: ticket.id,
    contactId: ticket.contactId,
    body: isSigned ? sign(viewer.name, body) : body,
    fromMe: true,
    source: 'person',
    read: true,
    ack: WAITING,
    failReason: '',
    dueAt: null,
    isDeleted: false,
    mediaType: null,
    mediaUrl: null,
    media: null,
    dataJson: null,
    reactions: [],
    isForwarded: false,
    isPrivate: false,
    referral: null,
    editedAt: null,
    author: null,
    quotedMsg: quoted && {
      id: quoted.id,
      body: quoted.body,
      fromMe: quoted.fromMe,
      mediaType: quoted.mediaType,
      isDeleted: quoted.isDeleted,
      author: quoted.fromMe ? '' : customerOf(quoted),
      user: quoted.user,
      source: quoted.source,
      isStatus: false,
      isPrivate: false,
    },
    user: { id: viewer.id, name: viewer.name },
    contact: { id: ticket.contactId, name: ticket.contact.name },
    ticket: { id: ticket.id, protocol: ticket.protocol, queueId: ticket.queueId },
    version: 0,
    position: behindAll(),
    createdAt: new Date().toISOString(),
  }
}

/**
 * Retries a failed message: one the server never accepted is posted, one that WhatsApp refused is sent again.
 */
export async function resendMessage(message: Message): Promise<void> {
  const waiting = findWaiting(message.id)
  if (message.version > 0 || !waiting)
    return put(await call(messages.resend, { params: { messageId: message.id } }))
  for (const one of heldWith(waiting)) {
    const again = { ...one.message, ack: WAITING, failReason: '', position: behindAll() }
    // what came in between is known now
    keepWaiting({ ...one, message: again, since: newestPosition(one.ticketId) })
    put(again)
  }
  sendWaiting(message.ticketId)
}

/** Of those that were asked about, since somebody answered, one answer is for all of the ticket. */
const heldWith = (waiting: Waiting): Waiting[] =>
  waiting.message.failReason === ANSWERED
    ? waitingIn(waiting.ticketId).filter(({ message }) => message.failReason === ANSWERED)
    : [waiting]

/** Removes an unsent message from the screen; a running upload is aborted. */
export function discardMessage(message: Message) {
  letGo(message.id)
  dropWaiting(message.id)
  changeThread(message.ticketId, thread => ({
    ...thread,
    messages: thread.messages.filter(({ id }) => id !== message.id),
  }))
}
