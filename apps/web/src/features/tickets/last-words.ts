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
  'call_log',
  'deleted',
] as const

/** What stands for a message without words; nothing for a text. */
const kindSaid = (t: ReturnType<typeof useTicketText>, type: string | null) =>
  type === null ? '' : t(KINDS.find(kind => kind === type) ?? 'media')

/** What was said last in a conversation, without the line that names its author, or what stands for it. */
export function useLastWords({ lastMessage, lastMessageType, lastMessageFromMe }: Ticket): string {
  const t = useTicketText()
  const words = lastMessageFromMe ? lastMessage.slice(signatureOf(lastMessage).length) : lastMessage
  return words || kindSaid(t, lastMessageType)
}
