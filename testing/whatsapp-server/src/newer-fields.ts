import { proto } from 'baileys'

/** Fields by their number that a phone knows and the schema of Baileys lacks; their contents are encoded. */
export type NewerFields = Record<number, Uint8Array>

const NEWER = Symbol('newer fields')
const BYTES = 2

const encode = proto.Message.encode
proto.Message.encode = (message, writer) => {
  const written = encode.call(proto.Message, message, writer)
  const fields = (message as { [NEWER]?: NewerFields })[NEWER] ?? {}
  for (const [number, bytes] of Object.entries(fields))
    written.uint32(((Number(number) << 3) | BYTES) >>> 0).bytes(bytes)
  return written
}

/** A message with fields that are newer than the schema: they are encoded with it, also inside of another message. */
export const withNewerFields = (message: proto.IMessage, fields: NewerFields): proto.IMessage =>
  Object.assign({ ...message }, { [NEWER]: fields })
