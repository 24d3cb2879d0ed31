import type { BookEntry, OldMessage } from '../../driver.ts'
import { isChange } from './acts.ts'
import { type GraphMessage, graphContentOf } from './content.ts'
import { personOf } from './identity.ts'
import { asText, graphTimeOf, listedIn } from './values.ts'

/** Page "history webhook reference". */
export interface GraphHistory {
  metadata?: { phase?: number; chunk_order?: number; progress?: number }
  threads?: GraphThread[]
  errors?: { code?: number }[]
}
interface GraphThread {
  id?: string
  /** Page "Business-scoped user IDs". */
  context?: { wa_id?: string; user_id?: string; parent_user_id?: string; username?: string }
  messages?: GraphMessage[]
}

/** What the Business app on the company's phone had before the number came to the official API. */
export interface AppHistory {
  old: OldMessage[]
  /** Meta has sent all of it. */
  isWhole: boolean
  isDeclined: boolean
  strange: string[]
  /** How many were about another message. */
  silent: number
}

/** The owner of the phone does not share the history (same page). */
const DECLINED = 2593109

/** One chunk, newest first; chunks and phases come in any order. Only the last one has the progress 100. */
export function readHistory({ metadata, threads, errors }: GraphHistory, own: string): AppHistory {
  const read: AppHistory = {
    old: [],
    isWhole: metadata?.progress === 100,
    isDeclined: false,
    strange: [],
    silent: 0,
  }
  if (listedIn(errors).some(({ code }) => code === DECLINED)) return { ...read, isDeclined: true }
  if (!Array.isArray(threads) && !metadata) return { ...read, strange: ['a history without its threads'] }
  for (const thread of listedIn(threads))
    for (const message of listedIn(thread.messages)) {
      const event = oldMessageOf(message, own, thread)
      if (event === null) read.strange.push(JSON.stringify(message))
      else read.old.push(...event)
      if (event?.length === 0) read.silent++
    }
  // within a second as the app lists them, which is oldest first
  read.old.reverse().sort((a, b) => b.at.localeCompare(a.at))
  return read
}

/** Adds what was read of one item; null where it could not be. */
export function addPast(
  past: AppHistory,
  strange: string[],
  { one, events }: { one: unknown; events: AppHistory | OldMessage[] | null },
): void {
  if (events === null) return void strange.push(JSON.stringify(one))
  if (Array.isArray(events)) {
    past.old.push(...events)
    if (events.length === 0) past.silent++
    return
  }
  past.old.push(...events.old)
  past.silent += events.silent
  strange.push(...events.strange)
  past.isWhole ||= events.isWhole
  past.isDeclined ||= events.isDeclined
}

/** Messages that are no content of a conversation of their own; what they changed is in their targets. */
const ASIDE = ['reaction', 'edit', 'revoke', 'system']

/** An old message; also one that brings the file of another that came without it. Null for what is none. */
export function oldMessageOf(
  message: GraphMessage,
  own: string,
  thread: GraphThread = {},
): OldMessage[] | null {
  const from = digitsOf(message.from)
  const isOwn = from !== '' && from === digitsOf(own)
  const fromMe = isOwn || message.to !== undefined || message.to_user_id !== undefined
  const { wa_id: number, user_id: userId, ...more } = thread.context ?? {}
  const chat = personOf({
    number: number ?? thread.id ?? (fromMe ? message.to : message.from),
    userId: userId ?? (fromMe ? message.to_user_id : message.from_user_id),
    parentUserId: more.parent_user_id,
    username: more.username,
  })
  if (!chat || typeof message.id !== 'string' || message.id.length > 500 || !message.timestamp) return null
  if (ASIDE.includes(message.type ?? '') || isChange(message)) return []
  const content = graphContentOf(message) ?? { body: '', mediaType: asText(message.type) || 'unsupported' }
  return [
    {
      kind: 'message',
      chat,
      externalId: message.id,
      fromMe,
      name: '',
      ...content,
      at: graphTimeOf(message.timestamp),
    },
  ]
}

/** Page "smb_app_state_sync webhook reference". */
export interface GraphStateSync {
  type?: string
  contact?: {
    full_name?: string
    first_name?: string
    phone_number?: string
    user_id?: string
    username?: string
  }
  action?: string
  metadata?: { timestamp?: string | number }
}

/** An entry of the phone's address book; without a name once it was removed. Null for what is none. */
export function bookEntryOf({ type, contact, action, metadata }: GraphStateSync): BookEntry | null {
  if (type !== 'contact' || (action !== 'add' && action !== 'remove')) return null
  const number = digitsOf(contact?.phone_number)
  const chat = personOf({ number: number || undefined, userId: contact?.user_id })
  if (chat?.kind !== 'phone' && chat?.kind !== 'cloud') return null
  const name = asText(contact?.full_name) || asText(contact?.first_name)
  if (action === 'add' && !name.trim()) return null
  const { kind, value } = chat
  return { kind, value, name: action === 'add' ? name.trim() : '', at: graphTimeOf(metadata?.timestamp) }
}

const digitsOf = (given: unknown) => asText(given).replace(/\D/g, '')
