import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import { CLOUD_FILES } from '@balcao/contract/cloud.templates.rules.ts'
import { LRUCache } from 'lru-cache'
import type { OutgoingContent } from '../../driver.content.ts'
import { Gone, type SessionHost } from '../../driver.ts'
import { type Graph, GraphRefusal } from '../../features/cloud/cloud.client.ts'
import { Unsendable } from './errors.ts'

const MB = 2 ** 20
/** Meta keeps what is uploaded for 30 days. */
const KEPT_MS = 29 * 24 * 3_600_000
const KEPT_MOST = 1_000

type File = Extract<OutgoingContent, { kind: 'file' }>
type Kind = File['as']

/** What WhatsApp shows as such, and how large (Meta, "Media", supported types). */
const SHOWN: Record<Exclude<Kind, 'document'>, { types: string[]; most: number }> = {
  ...CLOUD_FILES,
  audio: { types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'], most: 16 * MB },
  sticker: { types: ['image/webp'], most: 500_000 },
}
const STILL_STICKER = 100_000

const voiceKey = (key: string) => `${key} asVoiceNote`

/** A recorded MP3 as the Ogg with Opus that a voice note must be; anything else, and what cannot be read, as it is. */
export async function asVoiceNote(file: File, voiceNote: SessionHost['voiceNote']): Promise<File> {
  const { as, media, key, open } = file
  const voice = as === 'audio' && media.isVoice ? await voiceNote({ media, open }) : null
  if (voice === null || voice === 'as it is') return file
  const { bytes, seconds } = voice
  return {
    ...file,
    media: { ...media, name: 'voice.ogg', type: 'audio/ogg', size: bytes.length, seconds },
    key: voiceKey(key),
    open: async () => Readable.from([bytes]),
  }
}

/** Throws Unsendable for what WhatsApp does not show as a sticker: one that does not move has to be smaller. */
export async function checkSticker({ as, media, open }: File): Promise<void> {
  if (as !== 'sticker') return
  if (media.type !== 'image/webp') throw new Unsendable('ERR_FILE_TYPE')
  if (media.size > SHOWN.sticker.most) throw new Unsendable('ERR_FILE_TOO_LARGE')
  if (media.size > STILL_STICKER && !(await moves(await open()))) throw new Unsendable('ERR_FILE_TOO_LARGE')
}

/** The extended header of WebP (RFC 9649, 2.7) has a flag for animations. */
async function moves(stream: Readable): Promise<boolean> {
  let head = Buffer.alloc(0)
  for await (const piece of stream) {
    head = Buffer.concat([head, piece as Buffer])
    if (head.length > 20) break
  }
  stream.destroy()
  return head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 2) !== 0
}

/**
 * As what a file goes out: one that WhatsApp would not show goes as a document, and so does a sound with words, so that
 * neither is lost; a voice note must be Ogg with Opus.
 */
export function shapeOf({ as, media }: File, body: string): { kind: Kind; type: string; voice: boolean } {
  const type = media.type.split(';')[0]!.trim().toLowerCase()
  if (as === 'document' || (as === 'audio' && body)) return { kind: 'document', type, voice: false }
  const { types, most } = SHOWN[as]
  const isShown = types.includes(type) && media.size <= most
  if (!isShown) return { kind: 'document', type, voice: false }
  const voice = as === 'audio' && media.isVoice && type === 'audio/ogg'
  return { kind: as, type: type === 'audio/ogg' ? 'audio/ogg; codecs=opus' : type, voice }
}

/** Uploads of one number: a file that goes to many people goes up once. */
export type Uploads = ReturnType<typeof createUploads>

export function createUploads(graph: Graph, phoneNumberId: string) {
  const kept = new LRUCache<string, string>({ max: KEPT_MOST, ttl: KEPT_MS })
  return {
    async idOf({ key, media, open }: File, type: string): Promise<string> {
      const known = kept.get(key)
      if (known) return known
      const id = await graph.upload(`${phoneNumberId}/media`, {
        name: media.name || 'file',
        type,
        size: media.size,
        open,
      })
      kept.set(key, id)
      return id
    },
    knows: ({ key }: File) => kept.has(key) || kept.has(voiceKey(key)),
    /** Meta does not know it any more. */
    forget({ key }: File) {
      kept.delete(key)
      kept.delete(voiceKey(key))
    },
  }
}

interface Described {
  url: string
  sha256?: string
}

/**
 * The bytes of a file that a customer sent. Its address lives five minutes, so it is always asked for, and once more
 * when it has run out. Throws Gone when Meta no longer has it; the stream fails when its bytes are not those that
 * were sent.
 */
export async function download(graph: Graph, source: string): Promise<Readable> {
  const { id, sha256 } = JSON.parse(source) as { id: string; sha256: string }
  // The webhook may be signed by whoever pays for it: an id is digits, or nothing that Meta ever had.
  if (!/^\d{1,32}$/.test(id)) throw new Gone()
  for (let again = false; ; again = true) {
    const { url, sha256: hex } = await describe(graph, id)
    const { status, body } = await graph.download(url)
    if (status === 200) return checked(body, hex || Buffer.from(sha256, 'base64').toString('hex'))
    body.on('error', () => {}).destroy()
    if (again) throw new Error(`Meta's file host answered ${status}`)
  }
}

async function describe(graph: Graph, id: string): Promise<Described> {
  try {
    return await graph.get<Described>(id)
  } catch (error) {
    // 100 with subcode 33: there is no such object any more
    if (error instanceof GraphRefusal && (error.code === 100 || error.status === 404)) throw new Gone()
    throw error
  }
}

function checked(body: Readable, wanted: string): Readable {
  const hash = createHash('sha256')
  const check = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      const isWhole = !wanted || hash.digest('hex') === wanted
      done(isWhole ? null : new Error('the file is not the one that was sent'))
    },
  })
  body.on('error', error => check.destroy(error))
  check.on('close', () => body.destroy())
  return body.pipe(check)
}
