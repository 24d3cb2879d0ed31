import { proto } from 'baileys'
import { withAnswerSecret } from './answers.ts'
import { type FileContent, fileMessage, isFile } from './files.ts'
import type { MediaHost } from './media-host.ts'

type Message = proto.IMessage
export type MessageKey = proto.IMessageKey

/** What a person writes, places on a map, shares or answers. A bare string is a text. */
export type Content = string | TextContent | FileContent | CardContent

interface TextContent {
  text: string
  /** What the phone found behind the link in the text. */
  preview?: Preview
}

export interface Preview {
  url: string
  title?: string
  description?: string
  thumbnail?: Buffer
}

type CardContent =
  | { location: Place }
  | { liveLocation: Place & { caption?: string; sequence?: number } }
  | { contacts: Person[] }
  | { poll: Poll }
  | { event: HappeningEvent }
  | {
      order: {
        id: string
        token: string
        title: string
        count: number
        total: number
        currency: string
        text?: string
      }
    }
  /** A button of a message was pressed. */
  | { pressed: { id: string; text: string } }
  /** A row of a list was picked. */
  | { picked: { id: string; title: string; description?: string } }
  /** A button of an interactive message (native flow) was pressed. */
  | { flow: { name: string; text: string; params: object } }

export interface Place {
  latitude: number
  longitude: number
  name?: string
  address?: string
}

export interface Person {
  name: string
  /** In digits; several when the person has several. */
  numbers: string[]
}

/** Something that people are invited to in a chat; times in seconds. */
export interface HappeningEvent {
  name: string
  description?: string
  place?: string
  startsAt: number
  endsAt?: number
}

export interface Poll {
  question: string
  options: string[]
  /** How many may be chosen; default: any number. */
  choices?: number
}

/** What surrounds a message: what it answers, where it came from, how long it stays. */
export interface Circumstances {
  quoted?: { id: string; author: string; message: Message }
  /** How often it was forwarded; from 5 on phones show "many times". */
  forwarded?: number
  /** Addresses of people who are mentioned. */
  mentioned?: string[]
  /** The advertisement through which the customer came. */
  ad?: {
    title: string
    body: string
    url: string
    id?: string
    clickId?: string
    app?: string
    thumbnail?: Uint8Array
    /** As phones do since February 2026 (WhiskeySockets/Baileys, issue 2354): Meta alone can read which ad it was. */
    isSealed?: boolean
  }
  viewOnce?: boolean
  /** Seconds after which it disappears. */
  expires?: number
}

/** The message that a phone makes of this; files are uploaded first. */
export async function compose(media: MediaHost, content: Content, around: Circumstances): Promise<Message> {
  const plain = await inner(media, content)
  const contextInfo = contextOf(around)
  const [[field, part] = []] = Object.entries(plain)
  if (!contextInfo || !field) return wrap(plain, around)
  const { [field]: _, ...beside } = plain as Record<string, object>
  const body = field === 'conversation' ? { text: part } : part
  return wrap(
    { [field === 'conversation' ? 'extendedTextMessage' : field]: { ...body, contextInfo }, ...beside },
    around,
  )
}

async function inner(media: MediaHost, content: Content): Promise<Message> {
  if (typeof content === 'string') return { conversation: content }
  if ('text' in content) return text(content)
  return isFile(content) ? fileMessage(media, content) : card(content)
}

function text({ text, preview }: TextContent): Message {
  if (!preview) return { conversation: text }
  const { url: matchedText, title, description, thumbnail: jpegThumbnail } = preview
  return { extendedTextMessage: { text, matchedText, title, description, jpegThumbnail, previewType: 0 } }
}

function card(content: CardContent): Message {
  if ('location' in content) return { locationMessage: spot(content.location) }
  if ('liveLocation' in content) {
    const { caption, sequence = 1 } = content.liveLocation
    return { liveLocationMessage: { ...spot(content.liveLocation), caption, sequenceNumber: sequence } }
  }
  if ('contacts' in content) return contactCards(content.contacts)
  if ('poll' in content) return withAnswerSecret(poll(content.poll))
  if ('event' in content) return withAnswerSecret(event(content.event))
  if ('order' in content) return order(content.order)
  if ('pressed' in content) {
    const { id: selectedButtonId, text: selectedDisplayText } = content.pressed
    return { buttonsResponseMessage: { selectedButtonId, selectedDisplayText, type: 1 } }
  }
  if ('picked' in content) {
    const { id: selectedRowId, title, description } = content.picked
    return { listResponseMessage: { title, description, listType: 1, singleSelectReply: { selectedRowId } } }
  }
  const { name, text, params } = content.flow
  const nativeFlowResponseMessage = { name, paramsJson: JSON.stringify(params), version: 3 }
  return { interactiveResponseMessage: { body: { text }, nativeFlowResponseMessage } }
}

const spot = ({ latitude, longitude, name, address }: Place) => ({
  degreesLatitude: latitude,
  degreesLongitude: longitude,
  name,
  address,
})

function contactCards(people: Person[]): Message {
  const cards = people.map(person => ({ displayName: person.name, vcard: vcard(person) }))
  if (cards.length === 1) return { contactMessage: cards[0] }
  return { contactsArrayMessage: { displayName: `${cards.length} contatos`, contacts: cards } }
}

function vcard({ name, numbers }: Person): string {
  const phones = numbers.flatMap((number, at) => [
    `item${at + 1}.TEL;waid=${number}:+${number}`,
    `item${at + 1}.X-ABLabel:Celular`,
  ])
  return ['BEGIN:VCARD', 'VERSION:3.0', `N:;${name};;;`, `FN:${name}`, ...phones, 'END:VCARD'].join('\n')
}

function poll({ question, options, choices = 0 }: Poll): Message {
  const creation = {
    name: question,
    options: options.map(optionName => ({ optionName })),
    selectableOptionsCount: choices,
  }
  return choices === 1 ? { pollCreationMessageV3: creation } : { pollCreationMessage: creation }
}

const event = ({ name, description, place, startsAt, endsAt }: HappeningEvent): Message => ({
  eventMessage: {
    name,
    description,
    ...(place && { location: { name: place } }),
    startTime: startsAt,
    endTime: endsAt,
  },
})

/** Amounts in thousandths. */
const order = ({
  id,
  token,
  title,
  count,
  total,
  currency,
  text,
}: Extract<CardContent, { order: object }>['order']) => ({
  orderMessage: {
    ...{ orderId: id, token, orderTitle: title, itemCount: count, message: text },
    ...{ status: 1, surface: 1, totalAmount1000: total, totalCurrencyCode: currency },
  },
})

function contextOf({
  quoted,
  forwarded,
  mentioned,
  ad,
  expires,
}: Circumstances): proto.IContextInfo | undefined {
  const context: proto.IContextInfo = {
    ...(quoted && { stanzaId: quoted.id, participant: quoted.author, quotedMessage: quoted.message }),
    ...(forwarded && { isForwarded: true, forwardingScore: forwarded }),
    ...(mentioned && { mentionedJid: mentioned }),
    ...(ad && adContext(ad)),
    ...(expires && { expiration: expires }),
  }
  return Object.keys(context).length > 0 ? context : undefined
}

const adContext = ({
  title,
  body,
  url,
  id,
  clickId,
  app,
  thumbnail,
  isSealed,
}: NonNullable<Circumstances['ad']>) => ({
  conversionSource: 'FB_Ads',
  conversionData: Buffer.from('conversion'),
  entryPointConversionSource: 'ctwa_ad',
  entryPointConversionApp: app ?? 'facebook',
  ...(isSealed
    ? { ctwaPayload: Buffer.from('sealed') }
    : {
        externalAdReply: {
          ...{ title, body, sourceUrl: url, sourceType: 'ad' },
          ...(id && { sourceId: id }),
          ...(clickId && { ctwaClid: clickId }),
          ...(app && { sourceApp: app }),
          ...(thumbnail && { thumbnail, mediaType: proto.ContextInfo.ExternalAdReplyInfo.MediaType.IMAGE }),
        },
      }),
})

function wrap(message: Message, { viewOnce, expires }: Circumstances): Message {
  if (viewOnce && message.audioMessage) return { viewOnceMessageV2Extension: { message } }
  if (viewOnce) return { viewOnceMessageV2: { message } }
  if (expires) return { ephemeralMessage: { message } }
  return message.documentMessage?.caption ? { documentWithCaptionMessage: { message } } : message
}

const { Type } = proto.Message.ProtocolMessage

/** An emoji on a message; an empty one removes it. */
export function reaction(key: MessageKey, emoji: string): Message {
  return { reactionMessage: { key, text: emoji, senderTimestampMs: Date.now() } }
}

/** Another text for an own message, or another caption when that was a file. */
export function edit(key: MessageKey, body: string, original: Message = {}): Message {
  const { imageMessage, videoMessage } = original
  const editedMessage = imageMessage
    ? { imageMessage: { ...imageMessage, caption: body } }
    : videoMessage
      ? { videoMessage: { ...videoMessage, caption: body } }
      : { conversation: body }
  const protocolMessage = { type: Type.MESSAGE_EDIT, key, editedMessage, timestampMs: Date.now() }
  return { editedMessage: { message: { protocolMessage } } }
}

/** "Delete for everyone". */
export function revoke(key: MessageKey): Message {
  return { protocolMessage: { type: Type.REVOKE, key } }
}

/** The kind in the stanza of a message, as the server is not to know more. */
export function stanzaType(message: Message): 'text' | 'media' | 'reaction' | 'poll' {
  const [field = ''] = Object.keys(message)
  if (field === 'reactionMessage') return 'reaction'
  if (field.startsWith('poll')) return 'poll'
  const isText =
    /^(conversation|extendedTextMessage|protocolMessage|editedMessage|secretEncryptedMessage)$/.test(field)
  return isText ? 'text' : 'media'
}
