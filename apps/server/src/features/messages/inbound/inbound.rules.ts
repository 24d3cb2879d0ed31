import { randomUUID } from 'node:crypto'
import { READ, SENT } from '@balcao/contract/messages.rules.ts'
import type { Chat, InboundEvent, InboundFile } from '../../../driver.ts'
import { AT_ONCE } from '../messages.queries.ts'

export type InboundMessage = Extract<InboundEvent, { kind: 'message' }>
export type InboundReaction = Extract<InboundEvent, { kind: 'reaction' }>

/** A message older than this arrived late (the phone was off): it keeps its own time instead of ours. */
const LATE_MS = 60_000

/** The deduplication key of an event in the raw message log; external ids are unique only with the direction. */
export function keyOf(event: InboundEvent): string {
  const side = 'fromMe' in event && event.fromMe ? 1 : 0
  switch (event.kind) {
    case 'message':
      return `m ${side} ${event.externalId} ${event.author?.value ?? ''}`
    case 'ack':
      return `a ${event.externalId} ${event.ack}`
    case 'reaction':
      return `r ${side} ${event.target.externalId} ${reactorOf(event)} ${event.at} ${event.emoji}`
    case 'edit':
      return `e ${side} ${event.target.externalId} ${event.externalId ?? event.at}`
    case 'delete':
      return deletionKey(event.target)
    case 'profile':
      return `p ${event.chat.kind} ${event.chat.value} ${event.at}`
    case 'strange':
      return `s ${event.externalId}`
    case 'marketing':
      return `o ${event.chat.kind} ${event.chat.value} ${event.at} ${event.isWanted ? 1 : 0}`
    case 'identity':
      return `i ${event.chat.kind} ${event.chat.value} ${event.chat.also?.value ?? ''}`
  }
}

export const deletionKey = ({ externalId, fromMe }: { externalId: string; fromMe: boolean }) =>
  `d ${fromMe ? 1 : 0} ${externalId}`

/** Who reacted: `contact` in a chat of two, whatever identifier came; in a group the member's LID where known. */
export function reactorOf({ fromMe, author }: Pick<InboundReaction, 'fromMe' | 'author'>) {
  if (fromMe) return 'me'
  if (!author) return 'contact'
  return author.also?.kind === 'lid' ? author.also.value : author.value
}

/** The row of an inbound message, without its ticket. `isDeleted`: its deletion came before it. */
export function messageRowOf(
  { companyId, whatsappId, contactId }: { companyId: number; whatsappId: number; contactId: number },
  event: InboundMessage,
  { isDeleted, quotedId }: { isDeleted: boolean; quotedId: string | null },
) {
  const { externalId, fromMe, author } = event
  return {
    id: randomUUID(),
    companyId,
    contactId,
    whatsappId,
    externalId,
    fromMe,
    source: fromMe ? ('phone' as const) : ('contact' as const),
    ...(isDeleted ? { body: '', mediaType: null } : contentOf(event)),
    isForwarded: event.isForwarded ?? false,
    ...(author && { author: authorOf(author) }),
    quotedId,
    isDeleted,
    ack: fromMe ? SENT : READ,
    read: fromMe,
    createdAt: timeOf(event.at),
  }
}

export type InboundRow = ReturnType<typeof messageRowOf>

function contentOf({ body, mediaType, file, data }: InboundMessage) {
  return {
    body,
    mediaType,
    ...(file && { ...fileToFetch(file, 'loading'), mediaDue: AT_ONCE }),
    ...(data && { dataJson: JSON.stringify(data) }),
  }
}

/** The columns of a file whose bytes are fetched later. */
export function fileToFetch({ source, ...media }: InboundFile, state: 'loading' | 'failed') {
  return { media: { ...media, state }, mediaSource: source }
}

/** A member of a group; the number stays empty while only a LID is known. */
export function authorOf(author: Chat & { name: string }) {
  const kind = author.kind === 'lid' ? ('lid' as const) : ('phone' as const)
  const phone = [author, author.also].find(one => one?.kind === 'phone')
  const number = phone?.value ?? ''
  return { kind, value: author.value, name: author.name || (number && `+${number}`), number }
}

function timeOf(at: string) {
  const now = Date.now()
  return now - Date.parse(at) > LATE_MS ? at : new Date(now).toISOString()
}
