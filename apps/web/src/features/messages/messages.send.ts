import { FAILED, WAITING } from '@balcao/contract/messages.rules.ts'
import { type Message, type MessageInput, messages } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { z } from 'zod'
import { ApiError, call } from '../../platform/call.ts'
import { newId } from '../../platform/ids.ts'
import { queryClient } from '../../platform/query.ts'
import { threadKey } from './messages.api.ts'
import type { CachedThread } from './messages.cache.ts'
import { type Attachment, mediaOf } from './messages.files.ts'
import { holdFile, letGo, localFile, uploadFile } from './messages.upload.ts'

/** One line of messages a ticket: the second leaves when the first arrived. */
const lines = new Map<number, Promise<void>>()
/** What was typed, for a second try of a message that never reached the server. */
const typed = new Map<
  string,
  { body: string; quotedMsg: string | null; isVoice?: boolean; isSticker?: boolean }
>()

/** Shows a message at once and sends it behind the ones before it. Its id is chosen here: sent twice it is still one. */
export function sendMessage(ticket: Ticket, viewer: Viewer, body: string, quoted: Message | null): void {
  leave(draftOf(ticket, viewer, body, quoted), viewer, body)
}

/** Sends files, one message each; the words go under the first that is no sticker, else behind them. */
export function sendFiles(
  ticket: Ticket,
  viewer: Viewer,
  files: Omit<Attachment, 'key'>[],
  words: string,
  quoted: Message | null,
): void {
  const under = files.findIndex(({ asSticker }) => !asSticker)
  for (const [at, attachment] of files.entries()) {
    const { kind, asSticker: isSticker = false } = attachment
    const caption = at === under ? words : ''
    const message = draftOf(ticket, viewer, caption, at === 0 ? quoted : null)
    const media = mediaOf(attachment, false)
    holdFile(message.id, attachment.file, media)
    leave({ ...message, mediaType: isSticker ? 'sticker' : kind, media }, viewer, caption, { isSticker })
  }
  if (under < 0 && words) sendMessage(ticket, viewer, words, null)
}

/** Sends a recording to be heard as a voice message. */
export function sendVoice(
  ticket: Ticket,
  viewer: Viewer,
  file: File,
  seconds: number,
  quoted: Message | null,
): void {
  const message = draftOf(ticket, viewer, '', quoted)
  const media = mediaOf({ file, kind: 'audio', width: null, height: null, seconds }, true)
  holdFile(message.id, file, media)
  leave({ ...message, mediaType: 'audio', media }, viewer, '', { isVoice: true })
}

/** Sends what is known at the server already: a saved place, contacts. Throws ApiError. */
export async function sendKnown(
  ticket: Ticket,
  viewer: Viewer,
  known: Pick<z.input<typeof MessageInput>, 'locationId' | 'contactIds' | 'template' | 'body'>,
  quoted: Message | null,
): Promise<void> {
  const body = { ...known, id: newId(), ticketId: ticket.id, fromMe: true, quotedMsg: quoted?.id ?? null }
  put(await call(messages.send, { params: { ticketId: ticket.id, companyId: viewer.companyId }, body }))
}

function leave(
  message: Message,
  viewer: Viewer,
  body: string,
  as: { isVoice?: boolean; isSticker?: boolean } = {},
) {
  typed.set(message.id, { body, quotedMsg: message.quotedMsg?.id ?? null, ...as })
  put(message)
  enqueue(message, viewer.companyId)
}

/** A message as the screen shows it before the server knows it: version 0. */
function draftOf(ticket: Ticket, viewer: Viewer, body: string, quoted: Message | null): Message {
  const signed = body !== '' && viewer.signMessage && !viewer.authorization.disableSignature
  return {
    id: newId(),
    ticketId: ticket.id,
    contactId: ticket.contactId,
    body: signed ? `*${viewer.name}:*\n${body}` : body,
    fromMe: true,
    read: true,
    ack: WAITING,
    failReason: '',
    isDeleted: false,
    mediaType: null,
    mediaUrl: null,
    media: null,
    dataJson: null,
    reactions: [],
    isForwarded: false,
    editedAt: null,
    author: null,
    quotedMsg: quoted && {
      id: quoted.id,
      body: quoted.body,
      fromMe: quoted.fromMe,
      mediaType: quoted.mediaType,
      isDeleted: quoted.isDeleted,
      author: authorOf(quoted),
    },
    user: { id: viewer.id, name: viewer.name },
    contact: { id: ticket.contactId, name: ticket.contact.name },
    ticket: { id: ticket.id, protocol: ticket.protocol, queueId: ticket.queueId },
    version: 0,
    createdAt: new Date().toISOString(),
  }
}

const authorOf = ({ fromMe, author, contact }: Message) =>
  fromMe ? '' : author?.name || author?.number || contact.name

/** Tries a failed message again: one the server never saw is posted, one that WhatsApp refused leaves anew. */
export async function resendMessage(message: Message, companyId: number): Promise<void> {
  if (message.version === 0) {
    put({ ...message, ack: WAITING, failReason: '' })
    enqueue(message, companyId)
    return
  }
  put(await call(messages.resend, { params: { messageId: message.id } }))
}

/** Takes a message that never left off the screen; an upload under way is called off. */
export function discardMessage(message: Message) {
  letGo(message.id)
  typed.delete(message.id)
  change(message.ticketId, all => all.filter(one => one.id !== message.id))
}

function enqueue(message: Message, companyId: number) {
  const before = lines.get(message.ticketId) ?? Promise.resolve()
  lines.set(
    message.ticketId,
    before.then(() => post(message, companyId)),
  )
}

async function post(message: Message, companyId: number) {
  const words = typed.get(message.id)
  if (!words) return
  try {
    const sent = localFile(message.id)
      ? await uploadFile(message, companyId, words)
      : await call(messages.send, {
          params: { ticketId: message.ticketId, companyId },
          body: { body: words.body, quotedMsg: words.quotedMsg, id: message.id, fromMe: true, read: true },
        })
    typed.delete(message.id)
    put(sent)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return
    const failReason = error instanceof ApiError ? error.code || error.message : String(error)
    change(message.ticketId, all =>
      all.map(one =>
        one.id === message.id && one.version === 0 ? { ...one, ack: FAILED, failReason } : one,
      ),
    )
  }
}

/** A message takes its place unless something newer of it is there already. */
export function put(message: Message) {
  change(message.ticketId, all => {
    const known = all.find(one => one.id === message.id)
    if (!known) return [...all, message]
    return known.version > message.version ? all : all.map(one => (one.id === message.id ? message : one))
  })
}

const change = (ticketId: number, make: (all: Message[]) => Message[]) =>
  queryClient.setQueryData<CachedThread>(
    threadKey(ticketId),
    thread => thread && { ...thread, messages: make(thread.messages) },
  )
