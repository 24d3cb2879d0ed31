import type { proto, WAMessageKey } from 'baileys'
import { z } from 'zod'
import { Gone, type InboundFile } from '../../../driver.ts'
import { countFrom, fileNameFrom, mimeFrom, thumbnailFrom } from '../inbound/text.ts'

const FILE_TYPES = ['image', 'video', 'ptv', 'audio', 'document', 'sticker'] as const
export type SourceKind = (typeof FILE_TYPES)[number]

const FileSource = z.object({
  kind: z.literal('file'),
  type: z.enum(FILE_TYPES),
  url: z.string(),
  directPath: z.string(),
  /** Base64, as both hashes. */
  mediaKey: z.string(),
  sha256: z.string(),
  /** The message that it came with: its sender is asked for it when the host no longer has it. */
  key: z.object({
    remoteJid: z.string(),
    id: z.string(),
    fromMe: z.boolean(),
    participant: z.string().optional(),
  }),
})
const PictureSource = z.object({ kind: z.literal('picture'), jid: z.string(), url: z.string() })
const Source = z.discriminatedUnion('kind', [FileSource, PictureSource])

export type FileSource = z.infer<typeof FileSource>
export type PictureSource = z.infer<typeof PictureSource>

/** What messages that point to a file have in common. */
export type FilePart = Partial<
  Pick<proto.Message.IImageMessage, 'url' | 'directPath' | 'mediaKey' | 'fileSha256' | 'fileLength'> &
    Pick<proto.Message.IDocumentMessage, 'mimetype' | 'fileName' | 'jpegThumbnail' | 'pageCount'> &
    Pick<proto.Message.IVideoMessage, 'seconds' | 'width' | 'height'> &
    Pick<proto.Message.IAudioMessage, 'ptt'>
>

const MAX_PIXELS = 100_000
const MAX_SECONDS = 100 * 3_600
const MAX_PAGES = 100_000
/** Bytes of a thumbnail: each list of messages carries it. */
const MAX_THUMBNAIL = 16_384

/** What is known of the file of a message; undefined when it cannot be fetched from its content. */
export function fileOf(type: SourceKind, part: FilePart, key: WAMessageKey): InboundFile | undefined {
  const { mediaKey, fileSha256 } = part
  if (!mediaKey?.length || !(part.url || part.directPath) || !key.remoteJid || !key.id) return undefined
  const source: FileSource = {
    kind: 'file',
    type,
    url: part.url ?? '',
    directPath: part.directPath ?? '',
    mediaKey: Buffer.from(mediaKey).toString('base64'),
    sha256: Buffer.from(fileSha256 ?? []).toString('base64'),
    key: {
      remoteJid: key.remoteJid,
      id: key.id,
      fromMe: key.fromMe === true,
      ...(key.participant && { participant: key.participant }),
    },
  }
  const hasThumbnail = type === 'video' || type === 'ptv' || type === 'document'
  const thumbnail = hasThumbnail ? thumbnailFrom(part.jpegThumbnail, MAX_THUMBNAIL) : ''
  const pages = type === 'document' ? countFrom(part.pageCount, MAX_PAGES) : null
  return {
    name: fileNameFrom(part.fileName),
    type: mimeFrom(part.mimetype),
    size: countFrom(part.fileLength) ?? 0,
    seconds: countFrom(part.seconds, MAX_SECONDS),
    width: countFrom(part.width, MAX_PIXELS) || null,
    height: countFrom(part.height, MAX_PIXELS) || null,
    isVoice: part.ptt === true,
    ...(thumbnail && { thumbnail }),
    ...(pages && { pages }),
    source: JSON.stringify(source),
  }
}

export function pictureOf(jid: string, url: string): InboundFile {
  const source: PictureSource = { kind: 'picture', jid, url }
  return {
    name: '',
    type: 'image/jpeg',
    size: 0,
    seconds: null,
    width: null,
    height: null,
    isVoice: false,
    source: JSON.stringify(source),
  }
}

/** Parses `InboundFile.source`. Throws `Gone` when it is none of ours: it never leads anywhere. */
export function readSource(source: string): FileSource | PictureSource {
  try {
    return Source.parse(JSON.parse(source))
  } catch {
    throw new Gone('nothing can be fetched from this')
  }
}
