import { proto } from 'baileys'

/** A field of a message that the schema of the library lacks. */
export interface UnreadField {
  number: number
  /** Its content; empty for what is no text and no message. */
  bytes: Uint8Array
  /** The number that it is; 0 for a text, a message, and what is no whole number. */
  value: number
}

/** Fields of a message that were not read, in their order. An own symbol: copies have it too, and names of fields do not meet it. */
const UNREAD = Symbol('unread fields')

type Carrier = proto.IMessage & { [UNREAD]?: UnreadField[] }

/** The largest number of a field that is looked for in the schema. */
const LAST_NUMBER = 1_023
const [VARINT, BYTES] = [0, 2]
/** Of the wire types with a length of their own: what follows the number. */
const LENGTHS: Record<number, number> = { [VARINT]: 0, 1: 8, 5: 4 }
/** Numbers of fields have 29 bits. */
const LARGEST = 2 ** 29 - 1

let isKept = false

/**
 * From now on a decoded message has its unread fields, at every depth, and they are encoded with it. Does nothing the second
 * time. Replaces `proto.Message.decode` and `encode` of Baileys 7.0.0-rc14, whose code calls them by these names also for what
 * is inside: protobufjs 7 drops what its schema lacks. Instead of: the plaintext in the journal, which neither a history nor
 * an answer of the own phone passes. `unread-fields.test.ts` fails when they are called another way.
 */
export function keepUnreadFields(): void {
  if (isKept) return
  isKept = true
  const { decode, encode } = proto.Message
  const known = new Set(libraryFields().keys())
  proto.Message.decode = (from, length) => {
    const [buffer, start] = from instanceof Uint8Array ? [from, 0] : [from.buf, from.pos]
    const message: Carrier = decode.call(proto.Message, from, length)
    const end = from instanceof Uint8Array ? from.length : from.pos
    const unread = fieldsIn(buffer.subarray(start, end), number => !known.has(number))
    if (unread.length > 0) message[UNREAD] = unread
    return message as proto.Message
  }
  proto.Message.encode = (message, writer) => {
    const written = encode.call(proto.Message, message, writer)
    for (const { number, bytes } of unreadFieldsOf(message))
      written.uint32(((number << 3) | BYTES) >>> 0).bytes(bytes)
    return written
  }
}

/** The fields of a message that were not read. */
export const unreadFieldsOf = (message: proto.IMessage | null | undefined): UnreadField[] =>
  (message as Carrier | null | undefined)?.[UNREAD] ?? []

/** The fields of a message that the library reads, by number: each is tried with an empty content. */
export function libraryFields(): Map<number, string> {
  const known = new Map<number, string>()
  for (let number = 1; number <= LAST_NUMBER; number++) {
    const message = proto.Message.decode(Uint8Array.of(...varint((number << 3) | BYTES), 0))
    const [name] = Object.keys(message)
    if (name) known.set(number, name)
  }
  return known
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}

/** The fields of an encoded message, without what is inside of them. Ends at what is malformed. Only those that are wanted are copied. */
export function fieldsIn(buffer: Uint8Array, isWanted = (_number: number) => true): UnreadField[] {
  const found: UnreadField[] = []
  let at = 0
  const next = (): number => {
    let value = 0
    for (let shift = 0; at < buffer.length; shift += 7) {
      const byte = buffer[at++]!
      if (shift < 53) value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    return value
  }
  while (at < buffer.length) {
    const tag = next()
    const number = Math.floor(tag / 8)
    const type = tag % 8
    const value = type === VARINT ? next() : 0
    const length = type === BYTES ? next() : LENGTHS[type]
    if (number === 0 || number > LARGEST || length === undefined || at + length > buffer.length) break
    if (isWanted(number)) {
      const bytes = type === BYTES ? new Uint8Array(buffer.subarray(at, at + length)) : new Uint8Array()
      found.push({ number, bytes, value })
    }
    at += length
  }
  return found
}
