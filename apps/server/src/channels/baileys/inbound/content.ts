import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import { normalizeMessageContent, type proto } from 'baileys'
import { externalIdOf } from '../../../platform/external.ts'
import { mentionsOf, quotedCopyOf } from './context.ts'
import { kindIn } from './kinds/index.ts'
import type { Field, IncomingContent } from './kinds/kind.ts'
import { BESIDE, SILENCES } from './kinds/silences.ts'
import { linkedPageOf } from './kinds/text.ts'
import { behindUnread, unreadContent } from './kinds/unread.ts'
import { referralFrom } from './referral.ts'
import { countFrom, textFrom } from './text.ts'

const MOST_WRAPPERS = 5

/** Reads a message in any of its wrappers (disappearing, view once, with caption); null when there is none in it. */
export function incomingContentOf(message: proto.IMessage | null | undefined): IncomingContent | null {
  const found = bareContentOf(message)
  if (!found) return null
  const { context, mentions = mentionsOf(context), ...content } = found
  const referral = referralFrom(context)
  const commented = normalizeMessageContent(message)?.commentMessage?.targetMessageKey?.id
  const { quotedExternalId = externalIdOf(context?.stanzaId || commented) } = content
  const pinSeconds = found.mediaType === 'chat_event' ? pinSecondsOf(message) : null
  const { data = referral ? undefined : linkedPageOf(context) } = content
  const quotedCopy = quotedCopyOf(context, bareContentOf)
  return {
    ...content,
    ...(data && { data }),
    ...(mentions.length > 0 && { mentions }),
    ...(quotedExternalId && { quotedExternalId }),
    ...(quotedCopy && { quotedCopy }),
    ...(context?.isForwarded && { isForwarded: true }),
    ...(referral && { referral }),
    ...(pinSeconds && { pinSeconds }),
  }
}

/** For how long a message is pinned, a year at most; it stands beside the pin. */
function pinSecondsOf(message: proto.IMessage | null | undefined): number | null {
  const content = unwrapped(message)
  const { messageAddOnDurationInSecs: seconds } =
    message?.messageContextInfo ?? content?.messageContextInfo ?? {}
  return content?.pinInChatMessage ? countFrom(seconds, 31_536_000) : null
}

type Context = proto.IContextInfo | null | undefined

/** Reads a message without what surrounds it: a quote may hold a quote, to any depth. */
function bareContentOf(
  message: proto.IMessage | null | undefined,
): (IncomingContent & { context: Context }) | null {
  const content = unwrapped(message)
  const field = fieldIn(content)
  if (!content || (field && SILENCES[field])) return null
  if (!field) {
    const unread = unreadContent(content)
    return unread && { ...unread, body: textFrom(unread.body), context: undefined }
  }
  const kind = kindIn(field)
  const read = kind?.read(content[field]) ?? {}
  // without anything to show it is kept under the name of its field, and no empty text
  const isEmpty = !read.body && !read.file && !read.data
  const { body, mediaType = isEmpty ? field : null, ...rest } = read
  const { contextInfo: context } = content[field] as { contextInfo?: Context }
  // what is longer than a message may be becomes its file (`long-texts.ts`)
  return { body: textFrom(body, 3 * MAX_BODY), mediaType, ...rest, context }
}

/** What is inside all wrappers, unknown ones included. */
export function unwrapped(message: proto.IMessage | null | undefined): proto.IMessage | undefined {
  let content = normalizeMessageContent(message) ?? undefined
  for (let depth = 0; depth < MOST_WRAPPERS; depth++) {
    const inner = insideOf(content)
    if (!inner) return content
    content = normalizeMessageContent(inner) ?? inner
  }
  return content
}

function insideOf(content: proto.IMessage | undefined): proto.IMessage | null {
  const field = fieldIn(content)
  if (!content || !field) return content ? behindUnread(content) : null
  const part = content[field] as { message?: proto.IMessage | null } | string
  return typeof part === 'object' && part.message && typeof part.message === 'object' ? part.message : null
}

/** The field of a message that has its content. */
export function fieldIn(content: proto.IMessage | undefined): Field | undefined {
  const fields = Object.entries(content ?? {}).flatMap(([field, part]) =>
    part && !BESIDE.has(field) ? field : [],
  )
  return fields[0] as Field | undefined
}
