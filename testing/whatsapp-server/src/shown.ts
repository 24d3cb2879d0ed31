import { getContentType, normalizeMessageContent, proto } from 'baileys'
import type { Person, Place, Poll, Preview } from './contents.ts'
import { filePart, type ReceivedFile, receiveFile } from './files.ts'
import type { MediaHost } from './media-host.ts'

type Message = proto.IMessage

/** A message in plain words: what a person sees of it. */
export interface Shown {
  /**
   * text, image, video, gif, note, audio, voice, document, sticker, location, liveLocation, contacts, poll, reaction,
   * edit, deletion, pressed, picked, or whatever the protocol calls it (`interactiveMessage`); `nothing` when empty.
   */
  kind: string
  /** The words: a text, a caption, the new words of an edit, the emoji of a reaction, the button pressed. */
  text: string | undefined
  /** The id of the message that it answers. */
  quotes: string | undefined
  /** The id of the message that a reaction, an edit or a deletion is about. */
  about?: string
  file?: ReceivedFile
  preview?: Preview
  location?: Place
  contacts?: Person[]
  poll?: Poll
  /** The id of the button that was pressed or the row that was picked. */
  picked?: string
  forwarded?: number
  viewOnce?: boolean
  expires?: number
  mentioned?: string[]
}

/** Reads a message that was decrypted; a file is downloaded and checked. */
export async function show(media: MediaHost, message: Message): Promise<Shown> {
  const found = filePart(normalizeMessageContent(message) ?? {})
  const shown = showWords(message)
  return found ? { ...shown, file: await receiveFile(media, found.part, found.type) } : shown
}

/** Reads a message without its file. */
export function showWords(message: Message): Shown {
  const content = normalizeMessageContent(message) ?? {}
  const field = getContentType(content) as keyof Message | undefined
  if (!field) return { kind: 'nothing', text: undefined, quotes: undefined }
  const body = content[field]
  const { contextInfo } = (body ?? {}) as { contextInfo?: proto.IContextInfo | null }
  const read = READERS[field] ?? (() => ({ kind: field }))
  return {
    text: undefined,
    quotes: contextInfo?.stanzaId || undefined,
    ...around(message, contextInfo),
    ...read(body as never),
  }
}

/** The words that a person sees: the text, the caption. */
export const textOf = (message: Message): string | undefined => showWords(message).text

function around(message: Message, context: proto.IContextInfo | null | undefined): Partial<Shown> {
  const viewOnce = message.viewOnceMessage ?? message.viewOnceMessageV2 ?? message.viewOnceMessageV2Extension
  return {
    ...(context?.isForwarded && { forwarded: context.forwardingScore ?? 1 }),
    ...(context?.expiration && { expires: context.expiration }),
    ...(context?.mentionedJid?.length && { mentioned: context.mentionedJid }),
    ...(viewOnce && { viewOnce: true }),
  }
}

type Reader = (body: never) => Partial<Shown> & { kind: string }

const caption =
  (kind: string): Reader =>
  ({ caption }: { caption?: string | null }) => ({ kind, text: caption || undefined })

const READERS: Partial<Record<keyof Message, Reader>> = {
  conversation: (text: string) => ({ kind: 'text', text }),
  extendedTextMessage: showText,
  imageMessage: caption('image'),
  documentMessage: caption('document'),
  videoMessage: (video: proto.Message.IVideoMessage) => ({
    kind: video.gifPlayback ? 'gif' : 'video',
    text: video.caption || undefined,
  }),
  ptvMessage: caption('note'),
  stickerMessage: caption('sticker'),
  audioMessage: ({ ptt }: proto.Message.IAudioMessage) => ({ kind: ptt ? 'voice' : 'audio' }),
  locationMessage: (place: proto.Message.ILocationMessage) => ({ kind: 'location', location: spot(place) }),
  liveLocationMessage: (place: proto.Message.ILiveLocationMessage) => ({
    kind: 'liveLocation',
    location: spot(place),
    text: place.caption || undefined,
  }),
  contactMessage: (card: proto.Message.IContactMessage) => ({ kind: 'contacts', contacts: [person(card)] }),
  contactsArrayMessage: ({ contacts }: proto.Message.IContactsArrayMessage) => ({
    kind: 'contacts',
    contacts: contacts?.map(person),
  }),
  pollCreationMessage: showPoll,
  pollCreationMessageV2: showPoll,
  pollCreationMessageV3: showPoll,
  reactionMessage: ({ key, text }: proto.Message.IReactionMessage) => ({
    kind: 'reaction',
    about: key?.id ?? undefined,
    text: text ?? '',
  }),
  protocolMessage: showProtocol,
  buttonsResponseMessage: (answer: proto.Message.IButtonsResponseMessage) => ({
    kind: 'pressed',
    text: answer.selectedDisplayText ?? undefined,
    picked: answer.selectedButtonId ?? undefined,
  }),
  listResponseMessage: (answer: proto.Message.IListResponseMessage) => ({
    kind: 'picked',
    text: answer.title ?? undefined,
    picked: answer.singleSelectReply?.selectedRowId ?? undefined,
  }),
  interactiveMessage: ({ body }: proto.Message.IInteractiveMessage) => ({
    kind: 'interactiveMessage',
    text: body?.text ?? undefined,
  }),
}

function showText(message: proto.Message.IExtendedTextMessage): Partial<Shown> & { kind: string } {
  const { text, matchedText, title, description, jpegThumbnail } = message
  const shown = { kind: 'text', text: text ?? undefined }
  if (!matchedText) return shown
  const thumbnail = jpegThumbnail?.length ? Buffer.from(jpegThumbnail) : undefined
  const preview = { url: matchedText, title: title ?? undefined, description: description ?? undefined }
  return { ...shown, preview: { ...preview, thumbnail } }
}

function showPoll({ name, options, selectableOptionsCount }: proto.Message.IPollCreationMessage) {
  const labels = options?.map(({ optionName }) => optionName ?? '') ?? []
  const choices = selectableOptionsCount ?? 0
  return { kind: 'poll', text: name ?? undefined, poll: { question: name ?? '', options: labels, choices } }
}

const { Type } = proto.Message.ProtocolMessage

function showProtocol({ type, key, editedMessage }: proto.Message.IProtocolMessage) {
  const about = key?.id ?? undefined
  if (type === Type.REVOKE) return { kind: 'deletion', about }
  if (type === Type.MESSAGE_EDIT) return { kind: 'edit', about, text: textOf(editedMessage ?? {}) }
  return { kind: `protocolMessage ${Type[type ?? 0]}` }
}

const spot = (place: proto.Message.ILocationMessage): Place => ({
  latitude: place.degreesLatitude ?? 0,
  longitude: place.degreesLongitude ?? 0,
  name: place.name || undefined,
  address: place.address || undefined,
})

function person({ displayName, vcard }: proto.Message.IContactMessage): Person {
  const numbers = [...(vcard ?? '').matchAll(/waid=(\d+)/g)].map(([, number]) => number!)
  return { name: displayName ?? '', numbers }
}
