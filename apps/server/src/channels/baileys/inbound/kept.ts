import { proto, type WAMessage } from 'baileys'

/** A message as a key row keeps it: what Baileys' classes print as JSON would not be bytes again. */
export function keptOf({ key, pushName, messageTimestamp, message }: WAMessage): string {
  return JSON.stringify({
    key,
    pushName,
    messageTimestamp: Number(messageTimestamp),
    ...(message && { message: Buffer.from(proto.Message.encode(message).finish()).toString('base64') }),
  })
}

export function messageIn(value: string): WAMessage {
  const { message, ...rest } = JSON.parse(value) as Omit<WAMessage, 'message'> & { message?: string }
  return { ...rest, ...(message && { message: proto.Message.decode(Buffer.from(message, 'base64')) }) }
}
