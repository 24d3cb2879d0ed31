import type { FileKind } from '@balcao/contract/media.ts'
import { fileTypeFromBuffer } from 'file-type'

export interface FileType {
  type: string
  ext: string
  kind: FileKind
}

/** Enough of a file's beginning to recognise it; office documents have their type some way into the archive. */
export const HEAD = 256 * 1024

/**
 * Decides what a file is by its first HEAD bytes; the given name and type only choose among what the content may be.
 * Null when it is nothing known, or something that a browser would run (HTML, SVG, scripts).
 */
export async function recognise(
  head: Buffer,
  given: { name: string; type: string },
): Promise<FileType | null> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  const mime = found?.mime
  if (mime === undefined || mime === 'application/xml') return recogniseText(head, given.name)
  if (mime === 'application/x-cfb') return byType(oldOffice[extensionOf(given.name)])
  const sound = given.type.startsWith('audio/') ? soundOnly[mime] : undefined
  return byType(sound ?? sameAs[mime] ?? mime)
}

/** The type of an unknown file. */
export const unknownType: FileType = { type: 'application/octet-stream', ext: 'bin', kind: 'document' }

/** True for what a browser may show in place; everything else is only ever saved. */
export const mayShow = (type: string) => known[type]?.[2] === 'inline'

const known: Record<string, [kind: FileKind, ext: string, inline?: 'inline']> = {
  'image/jpeg': ['image', 'jpg', 'inline'],
  'image/png': ['image', 'png', 'inline'],
  'image/webp': ['image', 'webp', 'inline'],
  'image/gif': ['image', 'gif', 'inline'],
  'audio/mpeg': ['audio', 'mp3', 'inline'],
  'audio/ogg': ['audio', 'ogg', 'inline'],
  'audio/ogg; codecs=opus': ['audio', 'ogg', 'inline'],
  'audio/mp4': ['audio', 'm4a', 'inline'],
  'audio/aac': ['audio', 'aac', 'inline'],
  'audio/amr': ['audio', 'amr', 'inline'],
  'audio/wav': ['audio', 'wav', 'inline'],
  'audio/webm': ['audio', 'weba', 'inline'],
  'video/mp4': ['video', 'mp4', 'inline'],
  'video/3gpp': ['video', '3gp', 'inline'],
  'video/quicktime': ['video', 'mov', 'inline'],
  'video/webm': ['video', 'webm', 'inline'],
  'application/pdf': ['document', 'pdf', 'inline'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['document', 'docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['document', 'xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['document', 'pptx'],
  'application/vnd.oasis.opendocument.text': ['document', 'odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['document', 'ods'],
  'application/vnd.oasis.opendocument.presentation': ['document', 'odp'],
  'application/msword': ['document', 'doc'],
  'application/vnd.ms-excel': ['document', 'xls'],
  'application/vnd.ms-powerpoint': ['document', 'ppt'],
  'application/rtf': ['document', 'rtf'],
  'application/epub+zip': ['document', 'epub'],
  'application/zip': ['document', 'zip'],
  'application/x-rar-compressed': ['document', 'rar'],
  'application/x-7z-compressed': ['document', '7z'],
  'application/gzip': ['document', 'gz'],
  'application/xml': ['document', 'xml'],
  'application/json': ['document', 'json'],
  'image/heic': ['document', 'heic'],
  'image/bmp': ['document', 'bmp'],
  'image/tiff': ['document', 'tif'],
  'image/vnd.adobe.photoshop': ['document', 'psd'],
  'image/vnd.dwg': ['document', 'dwg'],
  'audio/flac': ['document', 'flac'],
  'video/matroska': ['document', 'mkv'],
  'video/vnd.avi': ['document', 'avi'],
  'text/plain': ['document', 'txt'],
  'text/csv': ['document', 'csv'],
  'text/vcard': ['document', 'vcf'],
  'text/calendar': ['document', 'ics'],
}

function byType(type: string | undefined): FileType | null {
  const entry = type === undefined ? undefined : known[type]
  return entry ? { type: type!, kind: entry[0], ext: entry[1] } : null
}

/** One name for each type. */
const sameAs: Record<string, string> = {
  'image/apng': 'image/png',
  'audio/x-m4a': 'audio/mp4',
  'video/x-m4v': 'video/mp4',
  'video/3gpp2': 'video/3gpp',
  'application/ogg': 'audio/ogg',
}

/** Containers of both: a voice recording comes in the container of a video. */
const soundOnly: Record<string, string> = { 'video/mp4': 'audio/mp4', 'video/webm': 'audio/webm' }

/** One container for all of them: the content does not distinguish them. */
const oldOffice: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}

const textTypes: Record<string, string> = { csv: 'text/csv', json: 'application/json' }

/** Text holds no control characters; what begins as markup is refused, but for plain XML (Brazil's invoices). */
function recogniseText(head: Buffer, name: string): FileType | null {
  const text = decode(head)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they distinguish text from the rest
  if (text === '' || /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text)) return null
  if (/^\s*#!/.test(text)) return null
  if (!/^\s*</.test(text)) return byType(textTypes[extensionOf(name)] ?? 'text/plain')
  const runs =
    /<(?:[\w-]+:)?(?:!doctype\s+(?:html|svg)|html|svg|script|body)\b|xml-stylesheet|w3\.org\/(?:1999\/xhtml|2000\/svg)/i
  return /^\s*<\?xml\s/.test(text) && !runs.test(text) ? byType('application/xml') : null
}

/** Windows spreadsheets still write Latin 1 and UTF-16. */
function decode(head: Buffer) {
  const marked =
    head[0] === 0xff && head[1] === 0xfe
      ? 'utf-16le'
      : head[0] === 0xfe && head[1] === 0xff
        ? 'utf-16be'
        : null
  if (marked) return new TextDecoder(marked).decode(head)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
  } catch {
    return head.toString('latin1')
  }
}

const extensionOf = (name: string) => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
