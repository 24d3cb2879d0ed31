import { buffer } from 'node:stream/consumers'
import type { Measured } from './measure.ts'

// Headers and ends alone are read: what a stranger sends must not keep anybody busy.

/** How many seconds a sound lasts; null where its first and last bytes do not hold it. */
export async function secondsOf(file: Measured): Promise<number | null> {
  if (file.type === 'audio/mpeg') return mp3(file)
  if (file.type === 'audio/wav') return wav(file)
  return file.type.startsWith('audio/ogg') ? ogg(file) : null
}

/** A page of Ogg is no larger. */
const PAGE = 65_536
const OPUS_RATE = 48_000

/** Ogg counts as it goes: its last page has the total. */
async function ogg({ size, head, open }: Measured): Promise<number | null> {
  const tail = await buffer(await open({ start: Math.max(0, size - PAGE), end: size - 1 }))
  const last = tail.lastIndexOf('OggS')
  const opus = head.indexOf('OpusHead')
  const vorbis = head.indexOf('\x01vorbis')
  if (last < 0 || (opus < 0 && vorbis < 0)) return null
  const counted = Number(tail.readBigInt64LE(last + 6))
  return opus >= 0
    ? (counted - head.readUInt16LE(opus + 10)) / OPUS_RATE
    : counted / head.readUInt32LE(vorbis + 12)
}

function wav({ size, head }: Measured): number | null {
  const [format, data] = [head.indexOf('fmt '), head.indexOf('data')]
  if (format < 0 || data < 0) return null
  // A recorder that could not go back leaves the length open: then it is all the rest.
  const length = Math.min(head.readUInt32LE(data + 4), size - data - 8)
  return length / head.readUInt32LE(format + 16)
}

const KBITS = {
  first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  later: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const RATES = [44_100, 48_000, 32_000]

/** Layer 3 of MPEG 1, 2 and 2.5. A count of frames where the encoder left one, else the first bit rate for all of it. */
function mp3({ size, head }: Measured): number | null {
  const start = afterTag(head)
  const frame = head.readUInt32BE(start)
  const version = (frame >>> 19) & 3
  const kbits = (version === 3 ? KBITS.first : KBITS.later)[(frame >>> 12) & 15]
  const rate = RATES[(frame >>> 10) & 3]
  const isFrame = frame >>> 21 === 0x7ff && ((frame >>> 17) & 3) === 1 && version !== 1
  if (!isFrame || !kbits || !rate) return null
  const hertz = rate / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const samples = version === 3 ? 1_152 : 576
  if (size - start < (samples / 8 / hertz) * kbits * 1_000) return null
  const frames = framesIn(head.subarray(start, start + 200))
  return frames ? (frames * samples) / hertz : ((size - start) * 8) / (kbits * 1_000)
}

/** Seven bits a byte, so that nothing in it looks like sound. */
function afterTag(head: Buffer): number {
  if (head.toString('latin1', 0, 3) !== 'ID3') return 0
  return 10 + [6, 7, 8, 9].reduce((length, at) => length * 128 + head[at]!, 0)
}

function framesIn(frame: Buffer): number {
  const at = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'))
  return at >= 0 && (frame.readUInt32BE(at + 4) & 1) === 1 ? frame.readUInt32BE(at + 8) : 0
}
