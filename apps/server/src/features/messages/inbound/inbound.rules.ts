import { randomUUID } from 'node:crypto'
import { placeIn } from '@balcao/contract/media.rules.ts'
import { CIPHERTEXT, READ, SENT } from '@balcao/contract/messages.rules.ts'
import type { Chat, InboundEvent, InboundFile, QuotedCopy, Target } from '../../../driver.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { type ExternalId, externalIdOf, externalKeyOf } from '../../../platform/external.ts'
import { AT_ONCE } from '../messages.queries.ts'

export type InboundMessage = Extract<InboundEvent, { kind: 'message' }>
export type InboundReaction = Extract<InboundEvent, { kind: 'reaction' }>

/** A message older than this arrived late (the phone was off): it keeps its own time instead of ours. */
const LATE_MS = 60_000

/** The deduplication key of an event in the raw message log; external ids are unique only with the direction. */
export const keyOf = (event: InboundEvent): ExternalId => externalKeyOf(partsOf(event))

function partsOf(event: InboundEvent): string {
  const side = 'fromMe' in event && event.fromMe ? 1 : 0
  switch (event.kind) {
    case 'message': {
      // a placeholder, its content and its better copy have one id, and are events of their own
      const kind = event.mediaType === CIPHERTEXT ? 'w' : event.isBetter ? 'b' : 'm'
      return `${kind} ${side} ${event.externalId} ${event.author?.value ?? ''}`
    }
    case 'ack':
      return `a ${event.externalId} ${event.ack}`
    case 'reaction':
      return `r ${side} ${event.target.externalId} ${reactorsOf(event)[0]} ${event.at} ${event.emoji}`
    case 'edit':
      return `${event.body === null ? 'u' : 'e'} ${side} ${event.target.externalId} ${event.externalId ?? event.at}`
    case 'delete':
      return deletedOf(event.target)
    case 'read':
      return `v ${event.chat.kind} ${event.chat.value} ${event.externalIds[0] ?? ''} ${event.at}`
    case 'answer':
      return `v ${side} ${event.target.externalId} ${reactorsOf(event)[0]} ${event.externalId ?? event.at}`
    case 'nothing':
      return `n ${side} ${event.externalId}${event.author ? ` ${event.author.value}` : ''}`
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

/** In a group it names the author too: a member cannot delete what another is about to send under the same id. */
export const deletionKey = (target: Target): ExternalId => externalKeyOf(deletedOf(target))

const deletedOf = ({ externalId, fromMe, author }: Target) =>
  `d ${fromMe ? 1 : 0} ${externalId}${author ? ` ${author.value}` : ''}`

/** Imported messages have odd positions. */
export const isImported = ({ position }: { position: number | null }) =>
  position !== null && position % 2 === 1

/** Whether an event is a later place of a live location. */
export function isMoved(
  {
    mediaType,
    dataJson,
    isDeleted,
  }: { mediaType: string | null; dataJson: string | null; isDeleted: boolean },
  event: InboundMessage,
): boolean {
  if (mediaType !== 'location' || event.mediaType !== 'location' || isDeleted) return false
  const known = placeIn({ dataJson })
  const next = placeIn({ dataJson: JSON.stringify(event.data ?? null) })
  return known?.isLive === true && next?.isLive === true && (next.sequence ?? 0) > (known.sequence ?? 0)
}

/**
 * Who reacted or answered: `contact` in a chat of two, whatever identifier came; in a group the member's LID where known, and the
 * other address, under which a history may have named the same person.
 */
export function reactorsOf({ fromMe, author }: { fromMe: boolean; author?: Chat }): [string, ...string[]] {
  if (fromMe) return ['me']
  if (!author) return ['contact']
  const { value, also } = author
  if (!also) return [value]
  return also.kind === 'lid' ? [also.value, value] : [value, also.value]
}

/** The row of an inbound message, without its ticket. `isDeleted`: its deletion came before it. */
export function messageRowOf(
  { companyId, whatsappId, contactId }: { companyId: number; whatsappId: number; contactId: number },
  event: InboundMessage,
  { isDeleted, quotedId }: { isDeleted: boolean; quotedId: string | null },
) {
  const { fromMe, author } = event
  const now = databaseNow()
  return {
    id: randomUUID(),
    companyId,
    contactId,
    whatsappId,
    externalId: externalIdOf(event.externalId),
    fromMe,
    source: fromMe ? ('phone' as const) : ('contact' as const),
    ...(isDeleted ? { body: '', mediaType: null } : contentOf(event)),
    isForwarded: event.isForwarded ?? false,
    ...(author && { author: authorOf(author) }),
    quotedId,
    ...(event.quotedCopy && { quotedCopy: copyOf(event.quotedCopy) }),
    isDeleted,
    ack: fromMe ? SENT : READ,
    read: fromMe,
    createdAt: now - Date.parse(event.at) > LATE_MS ? event.at : new Date(now).toISOString(),
  }
}

export type InboundRow = ReturnType<typeof messageRowOf>

function contentOf({ body, mediaType, file, data, referral }: InboundMessage) {
  return {
    body,
    mediaType,
    ...(file && { ...fileToFetch(file, 'loading'), mediaDue: AT_ONCE }),
    ...(data && { dataJson: JSON.stringify(data) }),
    ...(referral && { referral }),
  }
}

/** A quoted member of a group is named by the number, all that the copy has. */
function copyOf({ body, mediaType, fromMe, author, isStatus }: QuotedCopy) {
  const name = author && !fromMe ? authorOf({ ...author, name: '' }).name : ''
  return { body, mediaType, fromMe, author: name, isStatus: isStatus === true }
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
