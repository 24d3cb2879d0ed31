import { orderWords } from '@balcao/contract/kinds.rules.ts'
import type { PollData } from '@balcao/contract/kinds.ts'
import type { Referral } from '@balcao/contract/media.ts'
import { normalizeMessageContent, type proto } from 'baileys'
import type { Mention, QuotedCopy } from '../../../driver.ts'
import { externalIdOf } from '../../../platform/external.ts'
import type { FilePart, SourceKind } from '../media/sources.ts'
import { eventFrom, formOf, pollFrom, stillOf } from './answers.ts'
import { pinOf } from './chat-events.ts'
import { type Offer, ofButtons, ofInteractive, ofList, ofTemplate } from './choices.ts'
import { peopleOn } from './contact-cards.ts'
import { mentionsOf, quotedCopyOf } from './context.ts'
import { orderFrom } from './orders.ts'
import { referralFrom } from './referral.ts'
import { countFrom, lineFrom, pageFrom, textFrom, thumbnailFrom } from './text.ts'

/** What a person sees of a message. */
export interface IncomingContent {
  body: string
  /** Null for plain text. */
  mediaType: string | null
  file?: { type: SourceKind; part: FilePart }
  /** One of the `…Data` shapes of the contract. */
  data?: object
  quotedExternalId?: string
  quotedCopy?: QuotedCopy
  mentions?: Mention[]
  isForwarded?: true
  /** What was tapped: the id of its choice. */
  tapId?: string
  referral?: Referral
}

type Reading = Omit<Partial<IncomingContent>, 'body' | 'mediaType'> & {
  body?: string | null | undefined
  mediaType?: string
}
type Reader<Part> = (part: Part) => Reading
type Readers = { [Kind in keyof proto.IMessage]?: Reader<NonNullable<proto.IMessage[Kind]>> }

const file =
  (mediaType: string, type: SourceKind): Reader<FilePart & { caption?: string | null }> =>
  part => ({ mediaType, body: part.caption, file: { type, part } })
const poll = (part: proto.Message.IPollCreationMessage): Reading => ({
  mediaType: 'poll',
  body: part.name,
  data: pollFrom(part) satisfies PollData,
})
const choice = ({ body, choices }: Offer): Reading => ({
  body,
  ...(choices.length > 0 && { data: { choices } }),
})

/** How to read each kind of message; what is not listed is kept under its own name, without a body. */
const READERS: Readers = {
  conversation: body => ({ body }),
  extendedTextMessage: part => ({ body: part.text, data: link(part) }),
  imageMessage: file('image', 'image'),
  videoMessage: file('video', 'video'),
  ptvMessage: file('video', 'ptv'),
  audioMessage: file('audio', 'audio'),
  stickerMessage: part => stillOf(part) ?? file('sticker', 'sticker')(part),
  documentMessage: file('document', 'document'),
  locationMessage: part =>
    place(part, [part.name, part.address].filter(Boolean).join('\n'), { isLive: part.isLive === true }),
  liveLocationMessage: part =>
    place(part, part.caption, { isLive: true, sequence: countFrom(part.sequenceNumber) ?? 0 }),
  contactMessage: part => cards([part]),
  contactsArrayMessage: part => cards(part.contacts ?? []),
  pollCreationMessage: poll,
  pollCreationMessageV2: poll,
  pollCreationMessageV3: poll,
  pollCreationMessageV5: poll,
  buttonsMessage: part => ({ ...headed(part), ...choice(ofButtons(part)) }),
  listMessage: part => choice(ofList(part)),
  templateMessage: part => ({
    ...headed(part.hydratedFourRowTemplate ?? part.hydratedTemplate),
    ...choice(ofTemplate(part)),
  }),
  interactiveMessage: part => ({ ...headed(part.header), ...choice(ofInteractive(part)) }),
  buttonsResponseMessage: part => ({ body: part.selectedDisplayText }),
  templateButtonReplyMessage: part => ({ body: part.selectedDisplayText }),
  listResponseMessage: part => ({ body: part.title || part.description }),
  interactiveResponseMessage: formOf,
  groupInviteMessage: part => ({ mediaType: 'groupInviteMessage', body: part.caption || part.groupName }),
  eventMessage: part => ({ mediaType: 'event', ...eventFrom(part) }),
  productMessage: part => ({ mediaType: 'productMessage', body: part.body || part.product?.title }),
  orderMessage: part => {
    const data = orderFrom(part)
    return { mediaType: 'order', body: orderWords(data.note ?? '', data), data }
  },
  pinInChatMessage: part => pinOf(part) ?? { mediaType: 'pinInChatMessage' },
}

/** About messages rather than messages: reactions, edits, deletions, votes, keys, the frame of an album. */
const SILENT = new Set([
  'protocolMessage',
  'reactionMessage',
  'encReactionMessage',
  'encCommentMessage',
  'encEventResponseMessage',
  'pollUpdateMessage',
  'keepInChatMessage',
  'secretEncryptedMessage',
  'messageHistoryBundle',
  'messageHistoryNotice',
  'albumMessage',
  'stickerSyncRmrMessage',
  'placeholderMessage',
  // Calls are reported by call stanzas.
  'callLogMesssage',
])
/** What may accompany the content. */
const BESIDE = new Set([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
])
const MOST_WRAPPERS = 5

/** Reads a message in any of its wrappers (disappearing, view once, with caption); null when there is none in it. */
export function incomingContentOf(message: proto.IMessage | null | undefined): IncomingContent | null {
  const found = bareContentOf(message)
  if (!found) return null
  const { context, mentions = mentionsOf(context), ...content } = found
  const referral = referralFrom(context)
  const { quotedExternalId = externalIdOf(context?.stanzaId) } = content
  const { data = referral ? undefined : pageOf(context) } = content
  const quotedCopy = quotedCopyOf(context, bareContentOf)
  return {
    ...content,
    ...(data && { data }),
    ...(mentions.length > 0 && { mentions }),
    ...(quotedExternalId && { quotedExternalId }),
    ...(quotedCopy && { quotedCopy }),
    ...(context?.isForwarded && { isForwarded: true }),
    ...(referral && { referral }),
  }
}

/** Reads a message without what surrounds it: a quote may hold a quote, to any depth. */
function bareContentOf(
  message: proto.IMessage | null | undefined,
): (IncomingContent & { context: proto.IContextInfo | null | undefined }) | null {
  const content = unwrapped(message)
  const kind = kindOf(content)
  if (!content || !kind || SILENT.has(kind)) return null
  const read = READERS[kind] as Reader<unknown> | undefined
  const { body, mediaType = null, ...rest } = read?.(content[kind]) ?? { mediaType: kind }
  const { contextInfo: context } = content[kind] as { contextInfo?: proto.IContextInfo | null }
  return { body: textFrom(body), mediaType, ...rest, context }
}

/** What is inside all wrappers, unknown ones included. */
export function unwrapped(message: proto.IMessage | null | undefined): proto.IMessage | undefined {
  let content = normalizeMessageContent(message) ?? undefined
  for (let depth = 0; depth < MOST_WRAPPERS; depth++) {
    const kind = kindOf(content)
    const part = kind && (content?.[kind] as { message?: proto.IMessage | null } | string)
    if (!part || typeof part === 'string' || !part.message || typeof part.message !== 'object') return content
    content = part.message
  }
  return content
}

function kindOf(content: proto.IMessage | undefined): keyof proto.IMessage | undefined {
  const kinds = Object.entries(content ?? {}).flatMap(([kind, part]) =>
    part && !BESIDE.has(kind) ? kind : [],
  )
  return kinds[0] as keyof proto.IMessage | undefined
}

/** The picture, film or document above a message that offers choices. */
function headed(
  part:
    | Pick<proto.Message.IButtonsMessage, 'imageMessage' | 'videoMessage' | 'documentMessage'>
    | null
    | undefined,
): Reading {
  if (part?.imageMessage) return file('image', 'image')(part.imageMessage)
  if (part?.videoMessage) return file('video', 'video')(part.videoMessage)
  return part?.documentMessage ? file('document', 'document')(part.documentMessage) : {}
}

function place(
  part: proto.Message.ILocationMessage,
  body: string | null | undefined,
  { isLive, sequence }: { isLive: boolean; sequence?: number },
): Reading {
  const { degreesLatitude: latitude, degreesLongitude: longitude } = part
  const isOnEarth = Math.abs(latitude ?? Number.NaN) <= 90 && Math.abs(longitude ?? Number.NaN) <= 180
  const data = {
    latitude,
    longitude,
    name: lineFrom(part.name),
    address: lineFrom(part.address, 1_000),
    isLive,
    ...(sequence !== undefined && { sequence }),
  }
  return { mediaType: 'location', body, ...(isOnEarth && { data }) }
}

function cards(contacts: (proto.Message.IContactMessage | null)[]): Reading {
  const data = peopleOn(contacts)
  return {
    mediaType: 'vcard',
    body: data.contacts
      .map(({ name }) => name)
      .filter(Boolean)
      .join(', '),
    data,
  }
}

function link(part: proto.Message.IExtendedTextMessage): object | undefined {
  const { matchedText, title, description, jpegThumbnail } = part
  return preview(matchedText, title, description, jpegThumbnail)
}

/** A page that is shown with the text. */
function pageOf(context: proto.IContextInfo | null | undefined): object | undefined {
  const shown = context?.externalAdReply
  return shown ? preview(shown.sourceUrl, shown.title, shown.body, shown.thumbnail) : undefined
}

function preview(
  page: unknown,
  title: unknown,
  description: unknown,
  thumbnail: Uint8Array | null | undefined,
) {
  const data = { url: pageFrom(page), title: lineFrom(title), description: lineFrom(description, 1_000) }
  return data.url && data.title ? { ...data, thumbnail: thumbnailFrom(thumbnail) } : undefined
}
