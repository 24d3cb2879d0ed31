import { Mp3Encoder } from '@breezystack/lamejs'
import sharp from 'sharp'
import { createRecoder } from '../src/channels/voice-notes/recoder.ts'

// Files as real encoders make them, to be opened by whoever gets them; each call gives other bytes.

type Picture = 'jpeg' | 'png' | 'webp' | 'gif'

/** A detailed image. `turned`: rotated, with the EXIF orientation that cameras write. */
export async function encodedPicture(form: Picture, width = 320, height = 200, { turned = false } = {}) {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const drawn = sharp({ create: { width, height, channels: 3, background: '#888', noise } })
  return (turned ? drawn.withMetadata({ orientation: 6 }) : drawn).toFormat(form).toBuffer()
}

const RATE = 44_100

export function mp3(seconds: number): Buffer {
  const encoder = new Mp3Encoder(1, RATE, 64)
  return Buffer.concat([encoder.encodeBuffer(tone(seconds)), encoder.flush()].map(part => Buffer.from(part)))
}

/** Ogg/Opus, the format of phones' voice notes. */
export async function opus(seconds: number): Promise<Buffer> {
  const recoder = await createRecoder()
  recoder.add(mp3(seconds))
  return recoder.end()!.bytes
}

export function wav(seconds: number): Buffer {
  const sound = Buffer.from(tone(seconds).buffer)
  const head = Buffer.from(`RIFF....WAVEfmt ${'.'.repeat(20)}data....`)
  head.writeUInt32LE(36 + sound.length, 4)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.writeUInt32LE(sound.length, 40)
  return Buffer.concat([head, sound])
}

function tone(seconds: number): Int16Array {
  const pitch = 220 + Math.random() * 440
  return Int16Array.from({ length: RATE * seconds }, (_, at) =>
    Math.round(9_000 * Math.sin((at * 2 * Math.PI * pitch) / RATE)),
  )
}
