import type { Tap } from './content.ts'
import type { Customer, SaysOptions } from './customer.ts'
import { telling } from './customer-news.ts'
import { lateError } from './graph-error.ts'
import { Media } from './media.ts'
import type { PhoneNumber } from './phone-number.ts'
import { cameBy } from './referral.ts'

/** A file that a person sends. */
export interface SentFile {
  bytes: Uint8Array
  mime: string
  caption?: string
  filename?: string
  voice?: boolean
  animated?: boolean
}

/** One thing that a person can do in a chat. */
export type ChatMessage =
  | { text: string }
  | { image: SentFile }
  | { video: SentFile }
  | { audio: SentFile }
  | { document: SentFile }
  | { sticker: SentFile }
  | { location: { latitude: number; longitude: number; name?: string; address?: string; url?: string } }
  | { contacts: object[] }
  /** Without an emoji the reaction is removed. */
  | { reaction: { to: string; emoji?: string } }
  | { tap: Tap }
  /** A form that was filled in. */
  | { form: Record<string, unknown> }
  | { order: { catalog_id: string; text?: string; product_items: object[] } }
  | { edit: { of: string; text: string; before: ChatMessage } }
  | { revoke: string }
  /** A kind that Cloud API does not bring, or a file that it could not fetch (131052). */
  | { unsupported: { code?: number; details?: string; type?: string } }
  /** An interactive answer that Meta could not read: it has no content. */
  | { unreadable: true }
  /** Any other webhook content, unchanged. */
  | { raw: { type: string } & Record<string, unknown> }

const FILES = ['image', 'video', 'audio', 'document', 'sticker'] as const

/** Sends the person's message to the company. Returns its id. */
export function sentAs(
  customer: Customer,
  to: PhoneNumber,
  content: ChatMessage,
  about: Omit<SaysOptions, 'to'>,
): string {
  const [type, body] = contentOf(to, content)
  return telling(customer, to).message(type, { ...contextOf(to, about), ...body })
}

/** The type of a message, and what is under it in a webhook. */
export function contentOf(to: PhoneNumber, content: ChatMessage): [type: string, body: object] {
  const kind = FILES.find(name => name in content)
  if (kind) return [kind, { [kind]: fileOf(to, (content as Record<string, SentFile>)[kind]!) }]
  if ('text' in content) return ['text', { text: { body: content.text } }]
  if ('location' in content) return ['location', content]
  if ('contacts' in content) return ['contacts', content]
  if ('order' in content) return ['order', content]
  if ('reaction' in content)
    return ['reaction', { reaction: { message_id: content.reaction.to, ...emojiOf(content.reaction) } }]
  if ('tap' in content) return tapOf(content.tap)
  if ('form' in content)
    return interactive('nfm_reply', {
      name: 'flow',
      body: 'Sent',
      response_json: JSON.stringify(content.form),
    })
  if ('unreadable' in content) return ['interactive', {}]
  if ('raw' in content) return [content.raw.type, content.raw]
  if ('unsupported' in content) return unsupported(content.unsupported)
  return to.coexistence ? correction(to, content) : unsupported({})
}

const emojiOf = ({ emoji }: { emoji?: string }) => (emoji === undefined ? {} : { emoji })

const interactive = (type: string, reply: object): [string, object] => [
  'interactive',
  { interactive: { type, [type]: reply } },
]

function tapOf({ as, id, title, description }: Tap): [string, object] {
  if (as === 'button') return ['button', { button: { payload: id, text: title } }]
  return interactive(as, { id, title, ...(description ? { description } : {}) })
}

/** Edits and deletions are sent as such only to numbers of the Business app. */
function correction(to: PhoneNumber, content: ChatMessage): [string, object] {
  if ('revoke' in content) return ['revoke', { revoke: { original_message_id: content.revoke } }]
  if (!('edit' in content)) throw new Error(`a customer cannot send ${Object.keys(content)}`)
  const { of, text, before } = content.edit
  const kind = FILES.find(name => name in before)
  const file = kind && fileOf(to, { ...(before as Record<string, SentFile>)[kind]!, caption: text })
  const message = kind ? { type: kind, [kind]: file } : { type: 'text', text: { body: text } }
  return ['edit', { edit: { original_message_id: of, message } }]
}

/** Titles of the page "unsupported messages webhook reference". */
const UNSUPPORTED: Record<number, string> = {
  131051: 'Message type unknown',
  131060: 'This message is currently unavailable.',
}

function unsupported({
  code = 131051,
  details,
  type,
}: {
  code?: number
  details?: string
  type?: string
}): [string, object] {
  const { href: _, ...error } = lateError(code, details ?? 'Message type is currently not supported.')
  const name = UNSUPPORTED[code]
  const title = name ? { title: name, message: name } : {}
  return ['unsupported', { errors: [{ ...error, ...title }], ...(type ? { unsupported: { type } } : {}) }]
}

/** The file as the webhook names it; it is kept for seven days. The hash is in base64 here, in hex at its id. */
function fileOf(to: PhoneNumber, { bytes, mime, ...more }: SentFile) {
  const media = new Media(to, mime, Buffer.from(bytes), 'customer')
  return { mime_type: mime, sha256: media.hash('base64'), id: media.id, url: media.newUrl(), ...more }
}

function contextOf(to: PhoneNumber, { quotes, forwarded, ...came }: Omit<SaysOptions, 'to'>) {
  const { referral, product } = cameBy(came)
  const context = {
    ...(quotes ? { from: to.digits, id: quotes } : {}),
    ...(product ? { referred_product: product } : {}),
    ...(forwarded === 'often' ? { frequently_forwarded: true } : forwarded ? { forwarded: true } : {}),
  }
  return { ...(Object.keys(context).length > 0 ? { context } : {}), ...(referral ? { referral } : {}) }
}
