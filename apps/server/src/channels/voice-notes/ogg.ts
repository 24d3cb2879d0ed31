/** Opus counts at this rate, whatever was recorded. */
export const OPUS_RATE = 48_000
/** 20 milliseconds, as phones send them. */
export const FRAME = OPUS_RATE / 50
/** What the encoder adds before the first sound (RFC 7845, 4.2): libopus looks ahead so far. */
const PRE_SKIP = 312
const PACKETS_A_PAGE = 50
const FIRST = 2
const LAST = 4

/** Packs Opus packets of one channel into an Ogg file (RFC 3533, RFC 7845). */
export interface OggWriter {
  add(packet: Buffer): void
  /** The whole file; `samples` is the length of the sound. */
  end(samples: number): Buffer
}

export function oggWriter(serial: number): OggWriter {
  const pages: Buffer[] = []
  let waiting: Buffer[] = []
  let packets = 0
  const put = (content: Buffer[], granule: number, flags: number) =>
    void pages.push(page(content, { granule, flags, serial, number: pages.length }))

  put([head()], 0, FIRST)
  put([tags()], 0, 0)
  return {
    add(packet) {
      // The last page must not be empty: what fills one leaves with the next packet.
      if (waiting.length === PACKETS_A_PAGE) {
        put(waiting, packets * FRAME, 0)
        waiting = []
      }
      waiting.push(packet)
      packets++
    },
    end(samples) {
      put(waiting, samples + PRE_SKIP, LAST)
      return Buffer.concat(pages)
    },
  }
}

function head(): Buffer {
  const bytes = Buffer.alloc(19)
  bytes.write('OpusHead')
  bytes.writeUInt8(1, 8)
  bytes.writeUInt8(1, 9)
  bytes.writeUInt16LE(PRE_SKIP, 10)
  bytes.writeUInt32LE(OPUS_RATE, 12)
  return bytes
}

function tags(): Buffer {
  const vendor = Buffer.from('libopus')
  const lengths = [Buffer.alloc(4), Buffer.alloc(4)] as const
  lengths[0].writeUInt32LE(vendor.length)
  return Buffer.concat([Buffer.from('OpusTags'), lengths[0], vendor, lengths[1]])
}

interface PageFacts {
  granule: number
  flags: number
  serial: number
  number: number
}

function page(packets: Buffer[], { granule, flags, serial, number }: PageFacts): Buffer {
  const lacing = packets.flatMap(({ length }) => [
    ...new Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ])
  const header = Buffer.alloc(27)
  header.write('OggS')
  header.writeUInt8(flags, 5)
  header.writeBigUInt64LE(BigInt(granule), 6)
  header.writeUInt32LE(serial >>> 0, 14)
  header.writeUInt32LE(number, 18)
  header.writeUInt8(lacing.length, 26)
  const bytes = Buffer.concat([header, Buffer.from(lacing), ...packets])
  bytes.writeUInt32LE(checksum(bytes), 22)
  return bytes
}

/** Ogg's own CRC: polynomial 04c11db7, nothing reflected, nothing inverted. */
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 24
  for (let bit = 0; bit < 8; bit++) rest = (rest << 1) ^ (rest < 0 ? 0x04c11db7 : 0)
  return rest
})

function checksum(bytes: Buffer): number {
  let sum = 0
  for (const byte of bytes) sum = (sum << 8) ^ CRC[((sum >>> 24) ^ byte) & 0xff]!
  return sum >>> 0
}
