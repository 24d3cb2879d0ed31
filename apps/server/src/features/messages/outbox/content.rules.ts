import { type Choices, titlesOf } from '@balcao/contract/choices.ts'
import type { PollData, PollInput } from '@balcao/contract/kinds.ts'
import type { ChoiceData } from '@balcao/contract/media.ts'
import type { MessageInput } from '@balcao/contract/messages.input.ts'
import type { z } from 'zod'
import type { FileContent, OutgoingContent } from '../../../driver.content.ts'
import { refuse } from '../../../platform/errors.ts'
import type { Files, StoredFile } from '../../../platform/files/files.ts'
import { addressOf, keyAt } from '../../../platform/files/served.ts'
import type { messages } from '../messages.table.ts'

type Row = typeof messages.$inferInsert

/** The content of one message, as its row holds it. */
export type Part = Required<Pick<Row, 'body'>> & Pick<Row, 'mediaType' | 'mediaUrl' | 'media' | 'dataJson'>

export function filePart(
  { key, kind, ...about }: StoredFile,
  body: string,
  { isVoice }: { isVoice: boolean },
): Part {
  const media = { state: 'ready' as const, ...about, isVoice: isVoice && kind === 'audio' }
  return { body, mediaType: kind, mediaUrl: addressOf(key), media }
}

/** WhatsApp accepts WebP only as stickers, one a message. Refuses with ERR_FILE_TYPE, ERR_BAD_REQUEST. */
export function stickerPart(files: StoredFile[], body: string): Part {
  const [file] = files
  if (files.length !== 1 || file?.type !== 'image/webp')
    return refuse('ERR_FILE_TYPE', { field: 'isSticker' })
  if (body.trim()) return refuse('ERR_BAD_REQUEST', { field: 'body', message: 'A sticker has no words' })
  return { ...filePart(file, '', { isVoice: false }), mediaType: 'sticker' }
}

/** A text with choices below it; `tapIds` are what taps bring back. */
export const choicesPart = (body: string, choices: Choices, tapIds: string[] = []): Part => ({
  body,
  dataJson: JSON.stringify({
    choices: titlesOf(choices),
    offer: choices,
    ...(tapIds.length > 0 && { tapIds }),
  } satisfies Offered & { offer: Choices; tapIds?: string[] }),
})
type Offered = z.infer<typeof ChoiceData>

/** A poll without votes; `tapIds` are what votes for its options mean to a bot. */
export const pollPart = (
  { question, options, isMultiple = false }: PollInput,
  tapIds: string[] = [],
): Part => ({
  body: question,
  mediaType: 'poll',
  dataJson: JSON.stringify({
    choices: options,
    isMultiple,
    votes: [],
    ...(tapIds.length > 0 && { tapIds }),
  } satisfies PollData),
})

/**
 * A template of the official API; `body` is its text as users of the company read it, `file` that of its header.
 */
export function templatePart(
  template: NonNullable<MessageInput['template']>,
  body: string,
  { file }: { file?: Pick<Part, 'mediaType' | 'mediaUrl' | 'media'> | undefined } = {},
): Part {
  const data: Offered & { template: typeof template } = { choices: [], template }
  return { ...file, body: body || template.name, dataJson: JSON.stringify(data) }
}

export const dataPart = (mediaType: 'vcard' | 'location', data: object): Part => ({
  body: '',
  mediaType,
  dataJson: JSON.stringify(data),
})

type Stored = Pick<typeof messages.$inferSelect, 'mediaType' | 'mediaUrl' | 'media' | 'dataJson'>

/** The content of a stored message in the form that drivers send. */
export function outgoingContentOf(
  { mediaType, mediaUrl, media, dataJson }: Stored,
  files: Files,
  companyId: number,
): OutgoingContent {
  const data = dataJson ? JSON.parse(dataJson) : null
  const file = fileOf({ mediaType, mediaUrl, media }, files, companyId)
  if (data?.template) return { kind: 'template', ...data.template, ...(file && { file }) }
  if (file) return file
  if (mediaType === 'location') return { kind: 'location', place: data }
  if (mediaType === 'vcard') return { kind: 'contacts', cards: data }
  if (mediaType === 'poll') return { kind: 'poll', options: data.choices, isMultiple: data.isMultiple }
  if (data?.offer)
    return { kind: 'choices', choices: data.offer, ...(data.tapIds && { tapIds: data.tapIds }) }
  return { kind: 'text', ...(data?.mentions && { mentions: data.mentions }) }
}

function fileOf(
  { mediaType, mediaUrl, media }: Omit<Stored, 'dataJson'>,
  files: Files,
  companyId: number,
): FileContent | null {
  if (!media || !mediaUrl) return null
  const key = keyAt(mediaUrl)!
  const open = async () => (await files.open(companyId, key)).stream
  const { sha256, ...shown } = media
  return { kind: 'file', as: mediaType as FileContent['as'], media: shown, key: sha256 ?? key, open }
}
