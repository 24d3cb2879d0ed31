import type { Readable } from 'node:stream'
import { secondsOf } from './audio-length.ts'
import type { Range } from './files.ts'
import { pixelsOf } from './image-size.ts'
import { filmOf } from './video-size.ts'

/** Size and length from a file's own bytes; null where they are not in them. */
export interface Measures {
  seconds: number | null
  width: number | null
  height: number | null
}

const unmeasured: Measures = { seconds: null, width: null, height: null }

const MAX_PIXELS = 100_000
const MAX_SECONDS = 100 * 3_600

/** The type by the content, the size, the beginning, and how to read any part of a file that is kept. */
export interface Measured {
  type: string
  size: number
  head: Buffer
  open(range?: Range): Promise<Readable>
}

/** So that phones and screens know the box and the length before they have the bytes. Never throws. */
export async function measure(file: Measured): Promise<Measures> {
  const found = await look(file).catch(() => unmeasured)
  const shown = (pixels: number | null) => (pixels && pixels <= MAX_PIXELS ? Math.round(pixels) : null)
  const [width, height] = [shown(found.width), shown(found.height)]
  const seconds = found.seconds !== null && found.seconds > 0 ? found.seconds : null
  return {
    // what is shorter than a second is shown as one: zero means unknown
    seconds: seconds && seconds <= MAX_SECONDS ? Math.max(1, Math.round(seconds)) : null,
    ...(width && height ? { width, height } : { width: null, height: null }),
  }
}

async function look(file: Measured): Promise<Measures> {
  if (file.type.startsWith('image/')) return { seconds: null, ...(pixelsOf(file.head) ?? unmeasured) }
  if (/^(?:audio|video)\/(?:mp4|quicktime|3gpp)$/.test(file.type)) return filmOf(file)
  return { ...unmeasured, seconds: await secondsOf(file) }
}
