import type { MediaType, proto } from 'baileys'
import type { MediaHost } from './media-host.ts'
import { seal, unseal } from './media-seal.ts'

/** What a person sends that is a file; what is left out is as phones fill it in. */
export type FileContent = About &
  (
    | { image: Buffer; caption?: string }
    | { video: Buffer; caption?: string; gif?: boolean }
    /** A round video. */
    | { note: Buffer }
    | { audio: Buffer }
    | { voice: Buffer; waveform?: Buffer }
    | { document: Buffer; fileName: string; caption?: string }
    | { sticker: Buffer; animated?: boolean }
  )

interface About {
  mimetype?: string
  /** The address that the message claims, when it is not to be the true one: senders can write what they like. */
  url?: string
  seconds?: number
  width?: number
  height?: number
  thumbnail?: Buffer
}

/** A file as the phone that received it has it. */
export interface ReceivedFile {
  /** Its content, when everything in the message (MAC, hashes, length) is correct. */
  bytes?: Buffer
  /** Why there is no content. */
  problem?: string
  mimetype?: string
  fileName?: string
  seconds?: number
  width?: number
  height?: number
  waveform?: Buffer
  thumbnail?: Buffer
}

/** What the messages that point to files have in common. */
export interface FilePart {
  directPath?: string | null
  mediaKey?: Uint8Array | null
  fileSha256?: Uint8Array | null
  fileEncSha256?: Uint8Array | null
  fileLength?: unknown
  mimetype?: string | null
  fileName?: string | null
  seconds?: number | null
  width?: number | null
  height?: number | null
  waveform?: Uint8Array | null
  jpegThumbnail?: Uint8Array | null
}

interface Sort {
  field: keyof proto.IMessage
  type: MediaType
  mimetype: string
}

const SORTS: Record<string, Sort> = {
  image: { field: 'imageMessage', type: 'image', mimetype: 'image/jpeg' },
  video: { field: 'videoMessage', type: 'video', mimetype: 'video/mp4' },
  note: { field: 'ptvMessage', type: 'ptv', mimetype: 'video/mp4' },
  audio: { field: 'audioMessage', type: 'audio', mimetype: 'audio/mpeg' },
  voice: { field: 'audioMessage', type: 'audio', mimetype: 'audio/ogg; codecs=opus' },
  document: { field: 'documentMessage', type: 'document', mimetype: 'application/octet-stream' },
  sticker: { field: 'stickerMessage', type: 'sticker', mimetype: 'image/webp' },
}

const sortOf = (content: object): string | undefined => Object.keys(SORTS).find(sort => sort in content)

export const isFile = (content: object): content is FileContent => sortOf(content) !== undefined

/** Uploads a file and makes the message that points to it. */
export async function fileMessage(media: MediaHost, content: FileContent): Promise<proto.IMessage> {
  const name = sortOf(content)!
  const { field, type, mimetype } = SORTS[name]!
  const bytes = Object.entries(content).find(([field]) => field === name)![1] as Buffer
  const { thumbnail: jpegThumbnail, seconds, width, height } = content
  const about = { mimetype: content.mimetype ?? mimetype, jpegThumbnail, seconds, width, height }
  const file = await upload(media, bytes, type)
  return { [field]: { ...file, url: content.url ?? file.url, ...about, ...particulars(content) } }
}

/** Encrypts and uploads bytes. Returns the file's fields of a message. */
export async function upload(media: MediaHost, bytes: Buffer, type: MediaType) {
  const { sealed, keys } = await seal(bytes, type)
  const directPath = media.store.put(sealed)
  return { ...keys, directPath, url: media.url(directPath), mediaKeyTimestamp: Math.floor(Date.now() / 1000) }
}

function particulars(content: FileContent): object {
  if ('voice' in content) return { ptt: true, waveform: content.waveform ?? Buffer.alloc(64, 50) }
  if ('sticker' in content) return { isAnimated: content.animated ?? false }
  if ('video' in content) return { caption: content.caption, gifPlayback: content.gif }
  if ('image' in content) return { caption: content.caption }
  if (!('document' in content)) return {}
  return { fileName: content.fileName, title: content.fileName, caption: content.caption }
}

/** The part of a message that points to a file, and the sort of file that it is. */
export function filePart(message: proto.IMessage): { part: FilePart; type: MediaType } | undefined {
  for (const { field, type } of Object.values(SORTS)) {
    const part = message[field] as FilePart | null | undefined
    if (part) return { part, type }
  }
  return undefined
}

/** Downloads, decrypts and checks the file that a message points to. */
export async function receiveFile(media: MediaHost, part: FilePart, type: MediaType): Promise<ReceivedFile> {
  const about = {
    mimetype: part.mimetype ?? undefined,
    fileName: part.fileName ?? undefined,
    seconds: part.seconds ?? undefined,
    width: part.width ?? undefined,
    height: part.height ?? undefined,
    waveform: bytesOr(part.waveform),
    thumbnail: bytesOr(part.jpegThumbnail),
  }
  const stored = part.directPath ? media.store.find(part.directPath) : undefined
  if (!stored || stored.gone) return { ...about, problem: 'the host does not have it' }
  try {
    return { ...about, bytes: await unseal(stored.bytes, keysOf(part), type) }
  } catch (error) {
    return { ...about, problem: (error as Error).message }
  }
}

const keysOf = (part: FilePart) => ({
  mediaKey: Buffer.from(part.mediaKey ?? []),
  fileSha256: Buffer.from(part.fileSha256 ?? []),
  fileEncSha256: Buffer.from(part.fileEncSha256 ?? []),
  fileLength: Number(part.fileLength),
})

const bytesOr = (bytes: Uint8Array | null | undefined) => (bytes?.length ? Buffer.from(bytes) : undefined)
