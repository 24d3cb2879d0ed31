import { FAILED, WAITING } from '@balcao/contract/messages.rules.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { ApiError, call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'
import { threadKey } from './messages.api.ts'
import type { CachedThread } from './messages.cache.ts'

/** One line of messages a ticket: the second leaves when the first arrived. */
const lines = new Map<number, Promise<void>>()
/** What was typed, for a second try of a message that never reached the server. */
const typed = new Map<string, { body: string; quotedMsg: string | null }>()

/** Shows a message at once and sends it behind the ones before it. Its id is chosen here: sent twice it is still one. */
export function sendMessage(ticket: Ticket, viewer: Viewer, body: string, quoted: Message | null): void {
  const signed = viewer.signMessage && !viewer.authorization.disableSignature
  const message: Message = {
    id: crypto.randomUUID(),
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
    dataJson: null,
    quotedMsg: quoted && {
      id: quoted.id,
      body: quoted.body,
      fromMe: quoted.fromMe,
      mediaType: quoted.mediaType,
      isDeleted: quoted.isDeleted,
      author: quoted.fromMe ? '' : quoted.contact.name,
    },
    user: { id: viewer.id, name: viewer.name },
    contact: { id: ticket.contactId, name: ticket.contact.name },
    ticket: { id: ticket.id, protocol: ticket.protocol, queueId: ticket.queueId },
    version: 0,
    createdAt: new Date().toISOString(),
  }
  typed.set(message.id, { body, quotedMsg: quoted?.id ?? null })
  put(message)
  enqueue(message, viewer.companyId)
}

/** Tries a failed message again: one the server never saw is posted, one that WhatsApp refused leaves anew. */
export async function resendMessage(message: Message, companyId: number): Promise<void> {
  if (message.version === 0) {
    put({ ...message, ack: WAITING, failReason: '' })
    enqueue(message, companyId)
    return
  }
  put(await call(messages.resend, { params: { messageId: message.id } }))
}

/** Takes a message that never left off the screen. */
export function discardMessage(message: Message) {
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
    const sent = await call(messages.send, {
      params: { ticketId: message.ticketId, companyId },
      body: { ...words, id: message.id, fromMe: true, read: true },
    })
    typed.delete(message.id)
    put(sent)
  } catch (error) {
    const failReason = error instanceof ApiError ? error.code || error.message : String(error)
    change(message.ticketId, all =>
      all.map(one =>
        one.id === message.id && one.version === 0 ? { ...one, ack: FAILED, failReason } : one,
      ),
    )
  }
}

/** A message takes its place unless something newer of it is there already. */
function put(message: Message) {
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
