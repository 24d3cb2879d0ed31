import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import type { Chat, Heard } from '../../driver.ts'
import type { LogRow } from './messageLogs.events.ts'

/** A row of the journal as the documents name its parts. */
export function toLog({
  id,
  companyId,
  whatsappId,
  ticketId,
  failure,
  heardAt,
  ...row
}: LogRow): RawMessageLog {
  const heard = JSON.parse(row.heard, withoutSecrets) as Heard
  return {
    id,
    createdAt: heardAt,
    remoteJid: addressOf(heard.chat),
    messageId: 'target' in heard ? heard.target.externalId : 'externalId' in heard ? heard.externalId : '',
    fromMe: 'fromMe' in heard && heard.fromMe,
    ticketId: failure ? -(ticketId ?? 1) : ticketId,
    type: (heard.kind === 'message' && heard.mediaType) || heard.kind,
    companyId,
    whatsappId,
    details0: textOf(heard) || failure,
    details1: String(row.spentMs),
    JsonValue: JSON.stringify(heard),
  }
}

/** What would fetch a file, even sealed, is nobody's business. */
const withoutSecrets = (name: string, value: unknown) => (name === 'source' ? undefined : value)

/** As WhatsApp writes addresses. */
const addressOf = ({ kind, value }: Chat) =>
  `${value}@${{ phone: 's.whatsapp.net', lid: 'lid', group: 'g.us', cloud: 'cloud' }[kind]}`

function textOf(heard: Heard) {
  if ('body' in heard) return heard.body
  if (heard.kind === 'reaction') return heard.emoji
  return heard.kind === 'ack' ? String(heard.ack) : ''
}
