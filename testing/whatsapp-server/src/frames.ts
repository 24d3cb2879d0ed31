// 'E', 'D', 0, 1: routing information from an earlier connection precedes the header.
const ROUTING_PREFIX = Buffer.from([0x45, 0x44, 0, 1])

/** Cuts a byte stream into frames; a WebSocket message may carry a part of one or several. */
export interface FrameReader {
  /** The client's four opening bytes, once they have come. */
  header(): Buffer | undefined
  push(bytes: Uint8Array): Buffer[]
}

/** A reader for the client's direction, which opens with a header (and routing information in front of it). */
export function makeFrameReader(): FrameReader {
  let waiting = Buffer.alloc(0)
  let header: Buffer | undefined
  return {
    header: () => header,
    push(bytes) {
      waiting = Buffer.concat([waiting, bytes])
      if (!header) {
        const opening = readOpening(waiting)
        if (!opening) return []
        header = opening.header
        waiting = waiting.subarray(opening.length)
      }
      const frames: Buffer[] = []
      while (waiting.length >= 3 && waiting.length >= 3 + waiting.readUIntBE(0, 3)) {
        const end = 3 + waiting.readUIntBE(0, 3)
        frames.push(waiting.subarray(3, end))
        waiting = waiting.subarray(end)
      }
      return frames
    },
  }
}

/** A frame on the wire: three bytes of length, then the body. */
export function frame(body: Uint8Array): Buffer {
  const length = Buffer.alloc(3)
  length.writeUIntBE(body.length, 0, 3)
  return Buffer.concat([length, body])
}

function readOpening(bytes: Buffer): { header: Buffer; length: number } | undefined {
  if (bytes.length < 7) return undefined
  const routed = bytes.subarray(0, 4).equals(ROUTING_PREFIX)
  const start = routed ? 7 + bytes.readUIntBE(4, 3) : 0
  if (bytes.length < start + 4) return undefined
  const header = Buffer.from(bytes.subarray(start, start + 4))
  if (header.toString('latin1', 0, 2) !== 'WA') throw new Error('the client does not open with WA')
  return { header, length: start + 4 }
}
