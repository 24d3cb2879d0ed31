import { signatureOf } from '@balcao/contract/messages.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { useTicketText } from './tickets.text.ts'

const KINDS = [
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'vcard',
  'order',
  'call_log',
  'ciphertext',
  'deleted',
  'payment',
  'masked',
  'unknown',
] as const

/** Name of the kind of a message without text; empty for a text. */
const kindName = (type: string | null) =>
  type === null ? '' : useTicketText.read(KINDS.find(kind => kind === type) ?? 'media')

/** The last message of a conversation, without the line that names its author, or the name of its kind. */
export function lastWords({ lastMessage, lastMessageType, lastMessageFromMe }: Ticket): string {
  const words = lastMessageFromMe ? lastMessage.slice(signatureOf(lastMessage).length) : lastMessage
  return words || kindName(lastMessageType)
}

export function useLastWords(ticket: Ticket): string {
  useTicketText()
  return lastWords(ticket)
}
