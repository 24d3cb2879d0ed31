/** Media that WhatsApp supports, with size limits and codes. Meta's page "Media", supported types. */
export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker'

const MB = 2 ** 20

const KINDS: Record<MediaKind, { name: string; types: string[]; most: number }> = {
  image: { name: 'Image', types: ['image/jpeg', 'image/png'], most: 5 * MB },
  video: { name: 'Video', types: ['video/mp4', 'video/3gpp'], most: 16 * MB },
  audio: {
    name: 'Audio',
    types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/opus'],
    most: 16 * MB,
  },
  document: {
    name: 'Document',
    types: [
      'text/plain',
      'application/pdf',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
    most: 100 * MB,
  },
  sticker: { name: 'Sticker', types: ['image/webp'], most: 500 * 1000 },
}

const STILL_STICKER = 100 * 1000

/** Every type that can be uploaded, in the order in which Meta's complaint names them. */
export const UPLOADABLE = Object.values(KINDS).flatMap(({ types }) => types)
export const LARGEST = KINDS.document.most

/** The type without its parameters: `audio/ogg` of `audio/ogg; codecs=opus`. */
export const plainType = (mime: string) => mime.split(';')[0]!.trim().toLowerCase()

/** Why this file cannot be sent as this kind (the details of 131053); undefined when it can. */
export function unfit(kind: MediaKind, mime: string, bytes: Buffer): string | undefined {
  const { name, types } = KINDS[kind]
  const type = plainType(mime)
  if (kind !== 'document' && !types.includes(type))
    return `Unsupported ${name} mime type ${mime}. Please use one of ${types.join(', ')}.`
  const most = kind === 'sticker' && !isAnimated(bytes) ? STILL_STICKER : KINDS[kind].most
  if (bytes.length === 0 || bytes.length > most)
    return `${name} file has size ${bytes.length} bytes but must be atmost ${most} bytes and non-empty`
  const seen = typeOf(bytes)
  if (kind === 'document' || matches(type, seen)) return undefined
  return `${name} file uploaded with mimetype as ${mime}, however on processing it is of type ${seen}. Please choose a different file.`
}

const isAnimated = (webp: Buffer) => webp.includes('ANIM')

/** A voice note is Ogg with Opus and nothing else. */
export const isOggOpus = (bytes: Buffer) => typeOf(bytes) === 'audio/ogg'

function matches(type: string, seen: string) {
  if (type === 'audio/mp4' || type === 'video/3gpp') return seen === 'video/mp4'
  return type === seen || (type === 'audio/opus' && seen === 'audio/ogg')
}

/** Type by the first bytes. Ogg without Opus, and WebM recorded by a browser, are unsupported by WhatsApp. */
function typeOf(bytes: Buffer): string {
  const starts = (...begin: number[]) => begin.every((byte, at) => bytes[at] === byte)
  const has = (word: string, at: number) => bytes.toString('latin1', at, at + word.length) === word
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png'
  if (has('RIFF', 0) && has('WEBP', 8)) return 'image/webp'
  if (has('ftyp', 4)) return 'video/mp4'
  if (has('OggS', 0) && bytes.subarray(0, 512).includes('OpusHead')) return 'audio/ogg'
  if (has('#!AMR', 0)) return 'audio/amr'
  if (has('ID3', 0) || starts(0xff, 0xfb) || starts(0xff, 0xf3)) return 'audio/mpeg'
  if (starts(0xff, 0xf1) || starts(0xff, 0xf9)) return 'audio/aac'
  return 'application/octet-stream'
}
