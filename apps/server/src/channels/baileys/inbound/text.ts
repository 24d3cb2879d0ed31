import { cut } from '@balcao/contract/cut.rules.ts'
import { MAX_BODY } from '@balcao/contract/messages.input.ts'

// What a line may not hold: control characters, and those that make a name read from the other side.
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
const MAX_LINE = 255
const MIME = /^[a-z0-9][\w.+-]{0,100}\/[\w.+-]{1,100}(?:;\s*[\w-]+="?[\w .-]+"?){0,3}$/i

/** What a stranger wrote, fit to be stored: the database refuses NUL and half characters. */
export function textFrom(text: unknown, most = MAX_BODY): string {
  return typeof text === 'string' ? cut(text.replaceAll('\0', ''), most) : ''
}

/** A name, title or label: one line without tricks. */
export function lineFrom(text: unknown, most = MAX_LINE): string {
  return typeof text === 'string' ? textFrom(text.replace(UNSEEN, ' ').trim(), most) : ''
}

/** What a person is found by in WhatsApp; empty without one. */
export const usernameFrom = (username: unknown): string => lineFrom(username, 100).toLowerCase()

/** The name of a file, without its folders; a long one keeps its ending. */
export function fileNameFrom(name: unknown): string {
  const line = lineFrom(name, 4_096).split(/[/\\]/).at(-1)!.trim()
  if (line.length <= MAX_LINE) return line
  const ending = /\.\w{1,10}$/.exec(line)?.[0] ?? ''
  return textFrom(line.slice(0, MAX_LINE - ending.length) + ending)
}

export function mimeFrom(type: unknown): string {
  return typeof type === 'string' && MIME.test(type) ? type : 'application/octet-stream'
}

/** A whole number as the protocol gives it (number, Long, text); null when it is none that can be true. */
export function countFrom(number: unknown, most = Number.MAX_SAFE_INTEGER): number | null {
  // an object in JSON may be no text
  const count = Number(attempt(() => `${number ?? ''}`) || Number.NaN)
  return Number.isSafeInteger(Math.round(count)) && count >= 0 && count <= most ? Math.round(count) : null
}

/** The address of a page; empty for anything that a browser should not be led to. */
export function pageFrom(url: unknown): string {
  const given = textFrom(url, 2_048).trim()
  return /^https?:\/\//i.test(given) && URL.canParse(given) ? given : ''
}

/** A small JPEG in base64; empty when the bytes are no such picture. */
export function thumbnailFrom(bytes: Uint8Array | null | undefined, most = 65_536): string {
  const isJpeg = bytes && bytes.length <= most && bytes[0] === 0xff && bytes[1] === 0xd8
  return isJpeg ? Buffer.from(bytes).toString('base64') : ''
}

/** What a reader of foreign bytes or JSON answers; null where it throws. */
export function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
