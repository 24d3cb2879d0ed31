import { type FileKind, fileLimits, MAX_FILES } from '@balcao/contract/media.ts'
import { addressOfBytes } from '../../platform/bytes.ts'
import { newId } from '../../platform/ids.ts'
import type { Attachment } from './upload.ts'

/** Formats allowed as a sticker: WhatsApp shows no other as one. */
export const mayBeSticker = ({ file }: Pick<Attachment, 'file'>) =>
  file.type === 'image/webp' && file.size <= MAX_STICKER
const MAX_STICKER = 500_000

/** Why a file is refused. */
export interface RefusedFile {
  name: string
  why: 'type' | 'size' | 'empty' | 'many' | 'unreadable'
  limit: number
}

/** By extension: checked before an upload. The server decides by the content. */
const kinds: Record<FileKind, string[]> = {
  image: ['png', 'jpg', 'jpeg', 'webp', 'gif'],
  audio: ['mp3', 'ogg', 'oga', 'opus', 'm4a', 'aac', 'amr', 'wav', 'weba'],
  video: ['mp4', '3gp', 'mov', 'webm', 'm4v'],
  document: (
    'pdf docx xlsx pptx doc xls ppt odt ods odp rtf epub zip rar 7z gz xml json ' +
    'heic bmp tif tiff psd dwg flac mkv avi txt csv vcf ics'
  ).split(' '),
}

/** What the file dialog offers. */
export const accepted = Object.values(kinds)
  .flat()
  .map(ending => `.${ending}`)
  .join()

/** Checks chosen files: the accepted ones, and why others are refused. `held` are chosen already. */
export async function checkFiles(
  files: File[],
  held: number,
): Promise<{ taken: Attachment[]; refused: RefusedFile[] }> {
  const taken: Attachment[] = []
  const refused: RefusedFile[] = []
  for (const file of files) {
    const kind = kindOf(file)
    const limit = kind ? fileLimits[kind] : 0
    const why = !kind
      ? 'type'
      : file.size === 0
        ? 'empty'
        : file.size > limit
          ? 'size'
          : held + taken.length >= MAX_FILES
            ? 'many'
            : null
    const measured = why ? null : await measure(file, kind!)
    if (why) refused.push({ name: file.name, why, limit })
    else if (!measured) refused.push({ name: file.name, why: 'unreadable', limit })
    else taken.push({ key: newId(), file, kind: kind!, ...measured })
  }
  return { taken, refused }
}

function kindOf({ name, type }: File): FileKind | null {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  const byName = (Object.keys(kinds) as FileKind[]).find(kind => ending && kinds[kind].includes(ending))
  if (byName || ending) return byName ?? null
  const byType = (['image', 'audio', 'video'] as const).find(kind => type.startsWith(`${kind}/`))
  return byType && kinds[byType].includes(type.split('/')[1]!) ? byType : null
}

const nothing = { width: null, height: null, seconds: null }

/**
 * Pixel size of a picture or film, so that its box is reserved at once. Nulls if the browser cannot decode it,
 * null for a picture it cannot decode: other browsers could not either.
 */
async function measure(file: File, kind: FileKind): Promise<Measured | null> {
  if (kind === 'image') {
    const drawn = await createImageBitmap(file).catch(() => null)
    if (!drawn) return null
    const { width, height } = drawn
    drawn.close()
    return { width, height, seconds: null }
  }
  return kind === 'video' || kind === 'audio' ? measureTime(file, kind) : nothing
}

interface Measured {
  width: number | null
  height: number | null
  seconds: number | null
}

function measureTime(file: File, kind: 'video' | 'audio'): Promise<Measured> {
  const element = document.createElement(kind)
  return new Promise(resolve => {
    const finish = (found: Measured) => {
      element.removeAttribute('src')
      resolve(found)
    }
    element.onloadedmetadata = () => {
      const { duration } = element
      const size = element instanceof HTMLVideoElement ? element : null
      finish({
        width: size?.videoWidth || null,
        height: size?.videoHeight || null,
        seconds: Number.isFinite(duration) ? Math.round(duration) : null,
      })
    }
    element.onerror = () => finish(nothing)
    element.preload = 'metadata'
    element.src = addressOfBytes(file)
  })
}
