import { buffer } from 'node:stream/consumers'
import type { Measured, Measures } from './measure.ts'

/** The index of a long film is some megabytes large; what is larger is none. */
const MAX_INDEX = 16 * 1_048_576
/** Boxes that lie before the index; a file of nothing but tiny boxes is not read to its end. */
const MAX_BOXES = 1_000
/** The offset of a track's matrix, width and height, behind the fields that are wider in version 1. */
const MATRIX = [40, 52]
const FIXED = 65_536

/** MP4 and its relatives: boxes within boxes. The index may be at the very end. */
export async function filmOf({ size, open }: Measured): Promise<Measures> {
  const read = async (start: number, length: number) =>
    buffer(await open({ start, end: Math.min(start + length, size) - 1 }))
  for (let at = 0, boxes = 0; at + 8 <= size && boxes < MAX_BOXES; boxes++) {
    const { name, length, inside } = boxAt(await read(at, 16), 0, size - at)
    if (name === 'moov' && length <= MAX_INDEX) return measuresIn(await read(at + inside, length - inside))
    at += length
  }
  throw new Error('there is no index')
}

interface Box {
  name: string
  /** With its head. */
  length: number
  /** How long the head is. */
  inside: number
}

/** Throws for one that cannot be, so that nothing turns in circles. */
function boxAt(bytes: Buffer, at: number, rest: number): Box {
  const short = bytes.readUInt32BE(at)
  const name = bytes.toString('latin1', at + 4, at + 8)
  const inside = short === 1 ? 16 : 8
  const length = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short || rest
  if (length < inside) throw new Error('a broken box')
  return { name, length, inside }
}

function* boxesIn(bytes: Buffer): Generator<{ name: string; content: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const { name, length, inside } = boxAt(bytes, at, bytes.length - at)
    yield { name, content: bytes.subarray(at + inside, at + length) }
    at += length
  }
}

function measuresIn(index: Buffer): Measures {
  const found: Measures = { seconds: null, width: null, height: null }
  for (const { name, content } of boxesIn(index)) {
    if (name === 'mvhd') found.seconds = secondsOf(content)
    if (name !== 'trak') continue
    for (const track of boxesIn(content))
      if (track.name === 'tkhd') Object.assign(found, pixelsOf(track.content))
  }
  return found
}

/** Null for a film that was written while it ran: its length is not recorded. */
function secondsOf(header: Buffer): number | null {
  const isLong = header[0] === 1
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale > 0 && length > 0 && length < 0xffffffff ? length / scale : null
}

/** Nothing for a track of sound. The matrix of an upright phone turns the picture. */
function pixelsOf(header: Buffer) {
  const matrix = MATRIX[header[0] === 1 ? 1 : 0]!
  const width = header.readUInt32BE(matrix + 36) / FIXED
  const height = header.readUInt32BE(matrix + 40) / FIXED
  if (!width || !height) return {}
  const isTurned = header.readInt32BE(matrix) === 0 && header.readInt32BE(matrix + 4) !== 0
  return isTurned ? { width: height, height: width } : { width, height }
}
