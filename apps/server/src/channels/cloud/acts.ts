import type { ChatEventData, Happening } from '@balcao/contract/kinds.ts'
import type { GraphContent, GraphMessage } from './content.ts'
import { asText } from './values.ts'

/** What a customer did to another message, by Meta's name of it. */
const ACTS: [name: RegExp, what: Happening][] = [
  [/^(message_)?edit(ed)?$/, 'changed'],
  [/^unpin/, 'unpinned'],
  [/^pin/, 'pinned'],
  [/^(poll_)?(update|vote)/, 'voted'],
  [/^(enc_)?reaction/, 'reacted'],
  [/^keep/, 'kept'],
  [/^(revoke|delete)/, 'withdrew'],
]

/** Kinds of messages whose content Meta does not bring: they are messages all the same. */
const MESSAGES = new Set([
  ...[
    'audio',
    'contacts',
    'document',
    'gif',
    'group_invite',
    'hsm',
    'image',
    'interactive',
    'link_preview',
    'list',
  ],
  ...[
    'location',
    'media_placeholder',
    'order',
    'poll_creation',
    'product',
    'sticker',
    'text',
    'video',
    'view_once',
  ],
])
/** A message that Meta does not have yet, or whose file it could not fetch. */
const LATER = new Set([131052, 131060])

/**
 * The line of what a customer did to another message, where Meta does not bring the change itself. Edits and deletions come as
 * `unsupported` without any name, so that this is one too; null for a message.
 */
export function actOf({ type = '', unsupported, errors }: GraphMessage): GraphContent | null {
  const isUnnamed = type === 'unsupported'
  const name = isUnnamed ? asText(unsupported?.type) : type
  const what = ACTS.find(([pattern]) => pattern.test(name))?.[1]
  if (what) return line(what)
  const code = Array.isArray(errors) ? errors[0]?.code : undefined
  return isUnnamed && !MESSAGES.has(name) && !LATER.has(code ?? 0) ? line('undelivered') : null
}

/** Whether a message names what was done to another one. */
export const isChange = ({ type = '', unsupported }: GraphMessage): boolean => {
  const name = type === 'unsupported' ? asText(unsupported?.type) : type
  return ACTS.some(([pattern]) => pattern.test(name))
}

const line = (what: Happening): GraphContent => ({
  body: '',
  mediaType: 'chat_event',
  data: { what, people: [] } satisfies ChatEventData,
})
