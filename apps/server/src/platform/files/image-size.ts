export interface Pixels {
  width: number
  height: number
}

/** The size of a picture as it is shown, from its first bytes; null when they do not hold it. */
export function pixelsOf(head: Buffer): Pixels | null {
  const read = READERS.find(([magic]) => head.subarray(0, magic.length).equals(magic))?.[1]
  try {
    return read?.(head) ?? null
  } catch {
    // a picture that breaks off in its first lines
    return null
  }
}

const magic = (...bytes: number[]) => Buffer.from(bytes)

const READERS: [Buffer, (head: Buffer) => Pixels | null][] = [
  [magic(0x89, 0x50, 0x4e, 0x47), head => ({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) })],
  [magic(0x47, 0x49, 0x46), head => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) })],
  [magic(0x52, 0x49, 0x46, 0x46), webp],
  [magic(0xff, 0xd8), jpeg],
]

function webp(head: Buffer): Pixels | null {
  const form = head.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) }
  if (form === 'VP8 ')
    return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
  if (form !== 'VP8L') return null
  const packed = head.readUInt32LE(21)
  return { width: 1 + (packed & 0x3fff), height: 1 + ((packed >> 14) & 0x3fff) }
}

/** Frame headers; of the codes around them C4, C8 and CC mean something else. */
const isFrame = (code: number) => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)
const EXIF = 0xe1

function jpeg(head: Buffer): Pixels | null {
  let isTurned = false
  for (let at = 2; at + 9 < head.length; ) {
    if (head[at] !== 0xff) return null
    const code = head[at + 1]!
    if (code === 0xff) {
      at++
      continue
    }
    if (isFrame(code)) {
      const [height, width] = [head.readUInt16BE(at + 5), head.readUInt16BE(at + 7)]
      return isTurned ? { width: height, height: width } : { width, height }
    }
    const length = head.readUInt16BE(at + 2)
    if (code === EXIF) isTurned = liesOnItsSide(head.subarray(at + 4, at + 2 + length))
    at += 2 + length
  }
  return null
}

const ORIENTATION = 0x0112

/** Cameras store the picture as the sensor saw it, with its orientation: from 5 on, by a quarter. */
function liesOnItsSide(exif: Buffer): boolean {
  if (exif.toString('latin1', 0, 4) !== 'Exif') return false
  const tiff = exif.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let entry = 0; entry < short(first); entry++) {
    const at = first + 2 + entry * 12
    if (at + 10 > tiff.length) return false
    if (short(at) === ORIENTATION) return short(at + 8) >= 5
  }
  return false
}
