import type { proto } from 'baileys'
import { lineFrom, pageFrom, thumbnailFrom } from '../text.ts'
import { kindOf } from './kind.ts'

export const textKind = kindOf(
  ['conversation', 'extendedTextMessage'],
  { name: 'text', bubble: 'the text, with the preview of its link' },
  part => (typeof part === 'string' ? { body: part } : { body: part.text, data: link(part) }),
)

function link(part: proto.Message.IExtendedTextMessage): object | undefined {
  const { matchedText, title, description, jpegThumbnail } = part
  return preview(matchedText, title, description, jpegThumbnail)
}

/** A page that is shown with the text. */
export function linkedPageOf(context: proto.IContextInfo | null | undefined): object | undefined {
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
