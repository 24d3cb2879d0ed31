import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import type { Chat, InboundEvent } from '../../driver.ts'
import type { LogRow } from './messageLogs.events.ts'

export function toLog({
  id,
  companyId,
  whatsappId,
  ticketId,
  failure,
  receivedAt,
  ...row
}: LogRow): RawMessageLog {
  const inbound = JSON.parse(row.event, withoutSecrets) as InboundEvent
  return {
    id,
    createdAt: receivedAt,
    remoteJid: addressOf(inbound.chat),
    messageId:
      'target' in inbound ? inbound.target.externalId : 'externalId' in inbound ? inbound.externalId : '',
    fromMe: 'fromMe' in inbound && inbound.fromMe,
    ticketId: failure ? -(ticketId ?? 1) : ticketId,
    type: (inbound.kind === 'message' && inbound.mediaType) || inbound.kind,
    companyId,
    whatsappId,
    details0: textOf(inbound) || failure,
    details1: String(row.spentMs),
    JsonValue: JSON.stringify(inbound),
  }
}

/** Without the keys of files, even encrypted. */
const withoutSecrets = (name: string, value: unknown) => (name === 'source' ? undefined : value)

const addressOf = ({ kind, value }: Chat) =>
  `${value}@${{ phone: 's.whatsapp.net', lid: 'lid', group: 'g.us', cloud: 'cloud' }[kind]}`

function textOf(inbound: InboundEvent) {
  if ('body' in inbound) return inbound.body ?? ''
  if (inbound.kind === 'reaction') return inbound.emoji
  return inbound.kind === 'ack' ? String(inbound.ack) : ''
}
