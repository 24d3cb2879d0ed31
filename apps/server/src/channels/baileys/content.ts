import { extractMessageContent, getContentType, normalizeMessageContent, type proto } from 'baileys'

/** What a person sees of a message. */
export interface Content {
  body: string
  /** Null for plain text. */
  mediaType: string | null
  quotedExternalId?: string
}

type Part = { contextInfo?: proto.IContextInfo | null }
type Reader = (message: proto.IMessage) => { body?: string | null; mediaType?: string }

const text = (body: string | null | undefined) => ({ body })
const media = (mediaType: string, body?: string | null) => ({ mediaType, body })

/** How to read each kind of message; what is not listed is kept under its own name, without a body. */
const READERS: Record<string, Reader> = {
  conversation: m => text(m.conversation),
  extendedTextMessage: m => text(m.extendedTextMessage?.text),
  buttonsResponseMessage: m => text(m.buttonsResponseMessage?.selectedDisplayText),
  templateButtonReplyMessage: m => text(m.templateButtonReplyMessage?.selectedDisplayText),
  listResponseMessage: m => text(m.listResponseMessage?.title),
  interactiveResponseMessage: m => text(m.interactiveResponseMessage?.body?.text),
  imageMessage: m => media('image', m.imageMessage?.caption),
  videoMessage: m => media('video', m.videoMessage?.caption),
  ptvMessage: m => media('video', m.ptvMessage?.caption),
  audioMessage: () => media('audio'),
  stickerMessage: () => media('sticker'),
  documentMessage: m => media('document', m.documentMessage?.caption || m.documentMessage?.fileName),
  locationMessage: m =>
    media('location', [m.locationMessage?.name, m.locationMessage?.address].filter(Boolean).join('\n')),
  liveLocationMessage: m => media('location', m.liveLocationMessage?.caption),
  contactMessage: m => media('contact', m.contactMessage?.displayName),
  contactsArrayMessage: m => media('contact', m.contactsArrayMessage?.displayName),
  pollCreationMessage: m => media('poll', m.pollCreationMessage?.name),
  pollCreationMessageV2: m => media('poll', m.pollCreationMessageV2?.name),
  pollCreationMessageV3: m => media('poll', m.pollCreationMessageV3?.name),
}

/** About messages rather than messages: reactions, edits, deletions, votes, keys. */
const SILENT = new Set([
  'protocolMessage',
  'reactionMessage',
  'encReactionMessage',
  'encCommentMessage',
  'encEventResponseMessage',
  'pollUpdateMessage',
  'pinInChatMessage',
  'keepInChatMessage',
  'secretEncryptedMessage',
  'messageHistoryBundle',
])

/** Reads a message in any of its wrappers (disappearing, view once, with caption); null when there is none in it. */
export function contentOf(message: proto.IMessage | null | undefined): Content | null {
  const content = extractMessageContent(normalizeMessageContent(message))
  const type = getContentType(content)
  if (!content || !type || SILENT.has(type)) return null
  const { body, mediaType = null } = (READERS[type] ?? (() => media(type.replace(/Message(V\d)?$/, ''))))(
    content,
  )
  const quotedExternalId = (content[type] as Part | undefined)?.contextInfo?.stanzaId
  return { body: body ?? '', mediaType, ...(quotedExternalId && { quotedExternalId }) }
}
