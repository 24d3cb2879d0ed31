import type { proto } from 'baileys'
import type { FilePart, SourceKind } from '../../media/sources.ts'
import type { KindReading } from './kind.ts'

/** A file with its caption. */
export const fileRead = (
  mediaType: string,
  type: SourceKind,
  part: FilePart & { caption?: string | null },
): KindReading => ({ mediaType, body: part.caption, file: { type, part } })

type Headed = Pick<proto.Message.IButtonsMessage, 'imageMessage' | 'videoMessage' | 'documentMessage'>

/** The picture, film or document above a message that offers choices. */
export function headed(part: Headed | null | undefined): KindReading {
  if (part?.imageMessage) return fileRead('image', 'image', part.imageMessage)
  if (part?.videoMessage) return fileRead('video', 'video', part.videoMessage)
  return part?.documentMessage ? fileRead('document', 'document', part.documentMessage) : {}
}
