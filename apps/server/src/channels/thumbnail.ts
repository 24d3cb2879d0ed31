import type { Readable } from 'node:stream'

/** Phones show it blurred, as large as the picture: more than a stamp would be weight for nothing. */
const STAMP = 72
const LIMITS = { failOn: 'error', limitInputPixels: 100_000_000 } as const
const SECONDS = 5

/**
 * What a phone shows of a picture before it has it, as JPEG in base64; empty where it cannot be drawn: on a machine
 * for which there is no picture library, or of a picture that is broken. It is sent all the same.
 */
export async function thumbnailOf(open: () => Promise<Readable>): Promise<string> {
  const sharp = await import('sharp').then(
    library => library.default,
    () => null,
  )
  if (!sharp) return ''
  const stream = await open()
  const draw = sharp(LIMITS)
    .autoOrient()
    .resize(STAMP, STAMP, { fit: 'inside' })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 50 })
    .timeout({ seconds: SECONDS })
  stream.on('error', error => draw.destroy(error))
  try {
    return (await stream.pipe(draw).toBuffer()).toString('base64')
  } catch {
    return ''
  } finally {
    stream.destroy()
  }
}
