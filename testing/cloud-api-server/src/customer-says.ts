import type { Tap } from './content.ts'
import type { Customer, SaysOptions } from './customer.ts'
import { telling } from './customer-news.ts'
import { lateError } from './graph-error.ts'
import { Media } from './media.ts'
import type { PhoneNumber } from './phone-number.ts'

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
export type Said =
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
  | { edit: { of: string; text: string; said: Said } }
  | { revoke: string }
  /** A kind that Cloud API does not bring, or a file that it could not fetch (131052). */
  | { unsupported: { code?: number; details?: string } }
  /** An interactive answer that Meta could not read: it has no content. */
  | { unreadable: true }
  /** Any other webhook content, unchanged. */
  | { raw: { type: string } & Record<string, unknown> }

const FILES = ['image', 'video', 'audio', 'document', 'sticker'] as const

/** Sends the person's message to the company. Returns its id. */
export function sentAs(
  customer: Customer,
  to: PhoneNumber,
  said: Said,
  about: Omit<SaysOptions, 'to'>,
): string {
  const [type, body] = bodyOf(to, said)
  return telling(customer, to).message(type, { ...contextOf(to, about), ...body })
}

function bodyOf(to: PhoneNumber, said: Said): [type: string, body: object] {
  const kind = FILES.find(name => name in said)
  if (kind) return [kind, { [kind]: fileOf(to, (said as Record<string, SentFile>)[kind]!) }]
  if ('text' in said) return ['text', { text: { body: said.text } }]
  if ('location' in said) return ['location', said]
  if ('contacts' in said) return ['contacts', said]
  if ('order' in said) return ['order', said]
  if ('reaction' in said)
    return ['reaction', { reaction: { message_id: said.reaction.to, ...emojiOf(said.reaction) } }]
  if ('tap' in said) return tapOf(said.tap)
  if ('form' in said)
    return interactive('nfm_reply', { name: 'flow', body: 'Sent', response_json: JSON.stringify(said.form) })
  if ('unreadable' in said) return ['interactive', {}]
  if ('raw' in said) return [said.raw.type, said.raw]
  if ('unsupported' in said) return unsupported(said.unsupported)
  return to.coexistence ? correction(to, said) : unsupported({})
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
function correction(to: PhoneNumber, said: Said): [string, object] {
  if ('revoke' in said) return ['revoke', { revoke: { original_message_id: said.revoke } }]
  if (!('edit' in said)) throw new Error(`nobody can say ${Object.keys(said)}`)
  const { of, text, said: before } = said.edit
  const kind = FILES.find(name => name in before)
  const file = kind && fileOf(to, { ...(before as Record<string, SentFile>)[kind]!, caption: text })
  const message = kind ? { type: kind, [kind]: file } : { type: 'text', text: { body: text } }
  return ['edit', { edit: { original_message_id: of, message } }]
}

function unsupported({ code = 131051, details }: { code?: number; details?: string }): [string, object] {
  const { href: _, ...error } = lateError(code, details ?? 'Message type is currently not supported.')
  const title = code === 131051 ? { title: 'Message type unknown', message: 'Message type unknown' } : {}
  return ['unsupported', { errors: [{ ...error, ...title }] }]
}

/** The file as the webhook names it; it is kept for seven days. The hash is in base64 here, in hex at its id. */
function fileOf(to: PhoneNumber, { bytes, mime, ...more }: SentFile) {
  const media = new Media(to, mime, Buffer.from(bytes), 'customer')
  return { mime_type: mime, sha256: media.hash('base64'), id: media.id, url: media.newUrl(), ...more }
}

function contextOf(to: PhoneNumber, { quotes, forwarded, referral }: Omit<SaysOptions, 'to'>) {
  const context = {
    ...(quotes ? { from: to.digits, id: quotes } : {}),
    ...(forwarded === 'often' ? { frequently_forwarded: true } : forwarded ? { forwarded: true } : {}),
  }
  return { ...(Object.keys(context).length > 0 ? { context } : {}), ...(referral ? { referral } : {}) }
}
