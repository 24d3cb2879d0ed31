import type { proto } from 'baileys'
import type { Chat, Mention, QuotedCopy } from '../../../driver.ts'
import { chatOf } from './addresses.ts'
import { lineFrom, textFrom } from './text.ts'

/** Longer copies are cut: the whole message is on the phones. */
const MAX_COPY = 500
const MOST_MENTIONS = 50
const STATUS = 'status@broadcast'

type Context = proto.IContextInfo | null | undefined

/** What is known of the message that another one quotes; undefined when it quotes none. */
export function quotedCopyOf(
  context: Context,
  read: (message: proto.IMessage) => { body: string; mediaType: string | null } | null,
): QuotedCopy | undefined {
  if (!context?.stanzaId) return undefined
  const copy = context.quotedMessage ? read(context.quotedMessage) : null
  const author = chatOf(context.participant)
  return {
    body: textFrom(copy?.body ?? '', MAX_COPY),
    mediaType: copy ? copy.mediaType : 'unknown',
    fromMe: false,
    ...(author && { author }),
    ...(context.remoteJid === STATUS && { isStatus: true as const }),
  }
}

/** Who is mentioned: phones write `@` and the digits of the address in the text. */
export function mentionsOf(context: Context): Mention[] {
  return (context?.mentionedJid ?? []).flatMap((jid, at) => {
    if (at >= MOST_MENTIONS) return []
    const chat = chatOf(lineFrom(jid))
    const isPerson = chat && chat.kind !== 'group' && /^\d{5,20}$/.test(chat.value)
    return isPerson ? { ...chat, written: chat.value } : []
  })
}

/** Whether two addresses are of one person, as far as they are of the same kind. */
export const isSamePerson = (one: Chat, other: Chat): boolean =>
  [one, one.also].some(a => a && [other, other.also].some(b => b && a.kind === b.kind && a.value === b.value))
