import type { Chat, InboundEvent } from '../../driver.ts'
import type { GraphMessage } from './content.ts'
import { asText, graphTimeOf } from './values.ts'

/** `contacts[0]` of a webhook. Page "Business-scoped user IDs": without a number where the person hides it. */
export interface GraphContact {
  profile?: { name?: string; username?: string }
  wa_id?: string
  user_id?: string
  parent_user_id?: string
}

/** How a webhook names a person; each may be missing. */
interface Named {
  number?: string | undefined
  userId?: string | undefined
  parentUserId?: string | undefined
  username?: string | undefined
}

const MOST = 200

/** By number where it is shown, with the user id beside it. */
export function personOf({ number, userId, parentUserId, username }: Named): Chat | null {
  const more = {
    ...(isName(parentUserId) && { parent: parentUserId }),
    ...(isName(username) && { username: username.toLowerCase() }),
  }
  const cloud = userId ? { kind: 'cloud' as const, value: userId } : null
  if (number && /^\d{5,20}$/.test(number))
    return { kind: 'phone', value: number, ...(cloud && { also: cloud }), ...more }
  // Older versions put the user id where the number stood.
  if (number && !cloud) return { kind: 'cloud', value: number, ...more }
  return cloud && { ...cloud, ...more }
}

const isName = (given: unknown): given is string =>
  typeof given === 'string' && given !== '' && given.length <= MOST

/** The chat of a message or an echo, with what its `contacts` add: the username, and the parent of its user id. */
export function chatOfMessage(
  message: GraphMessage,
  contacts: GraphContact[],
  { fromMe }: { fromMe: boolean },
): Chat | null {
  const number = fromMe ? message.to : message.from
  const userId = fromMe ? message.to_user_id : message.from_user_id
  // an echo may name its recipient in `contacts` alone, and several echoes have several there
  const onlyOne = fromMe && !number && !userId && contacts.length === 1 ? contacts[0] : undefined
  const contact = onlyOne ?? contactIn(contacts, [number, userId])
  const parentUserId = fromMe ? message.to_parent_user_id : message.from_parent_user_id
  return personOf({
    number: number ?? contact?.wa_id,
    userId: userId ?? contact?.user_id,
    parentUserId: parentUserId ?? contact?.parent_user_id,
    username: contact?.profile?.username,
  })
}

export const nameOf = (chat: Chat, contacts: GraphContact[]) =>
  asText(contactIn(contacts, [chat.value, chat.also?.value])?.profile?.name)

const contactIn = (contacts: GraphContact[], ids: (string | undefined)[]) =>
  contacts.find(one => [one.wa_id, one.user_id].some(id => id && ids.includes(id)))

/** A person took another number, or another user id: the new one first, what it was before beside it. */
export function systemNews(
  { from, from_user_id: userId, system }: GraphMessage,
  at: string,
): InboundEvent[] | null {
  const { type = '', wa_id: number, user_id: newUserId } = system ?? {}
  const isNumber = type === 'user_changed_number' || type === 'customer_changed_number'
  const before = isNumber ? from : userId
  const now = isNumber ? number : newUserId
  if (type === 'user_changed_user_id' && !before) return [] // complete in `user_id_update`
  if (!before || !now) return null
  const kind = isNumber ? 'phone' : 'cloud'
  const moved: InboundEvent = {
    kind: 'identity',
    chat: { kind, value: now, also: { kind, value: before } },
    at,
  }
  const both: Chat = { kind: 'phone', value: now, also: { kind: 'cloud', value: newUserId ?? '' } }
  return isNumber && newUserId ? [moved, { kind: 'identity', chat: both, at }] : [moved]
}

/** Page "user_id_update webhook reference". */
export interface GraphUserIdUpdate {
  wa_id?: string
  user_id?: { previous?: string; current?: string }
  timestamp?: string
}

export function userIdNews({ user_id: ids, timestamp }: GraphUserIdUpdate): InboundEvent[] | null {
  const { previous, current } = ids ?? {}
  if (!previous || !current) return null
  const chat: Chat = { kind: 'cloud', value: current, also: { kind: 'cloud', value: previous } }
  return [{ kind: 'identity', chat, at: graphTimeOf(timestamp) }]
}

/** Page "user_preferences webhook reference". */
export interface GraphPreference {
  wa_id?: string
  user_id?: string
  category?: string
  value?: string
  timestamp?: string | number
}

/** The page renamed it; both are sent. */
const MARKETING = ['marketing_messages', 'marketing']

export function preferenceNews(given: GraphPreference): InboundEvent[] | null {
  const chat = personOf({ number: given.wa_id, userId: given.user_id })
  const isWanted = given.value === 'resume'
  if (!chat || !MARKETING.includes(given.category ?? '') || !(isWanted || given.value === 'stop')) return null
  return [{ kind: 'marketing', chat, isWanted, at: graphTimeOf(given.timestamp) }]
}

/**
 * A card in which the person sends the own number, as the button REQUEST_CONTACT_INFO asks for it: from then on the number
 * and the user id are one contact. Cards that a person forwards have no such origin, and prove nothing.
 */
export function sharedNumber(message: GraphMessage, chat: Chat, at: string): InboundEvent[] {
  if (chat.kind !== 'cloud' || !`${message.origin ?? ''}`.startsWith('contact_request')) return []
  const [phone, ...others] = message.contacts?.[0]?.phones ?? []
  const digits = asText(phone?.wa_id || phone?.phone).replace(/\D/g, '')
  if (others.length > 0 || !/^\d{8,15}$/.test(digits)) return []
  const both: Chat = { kind: 'phone', value: digits, also: { kind: 'cloud', value: chat.value } }
  return [{ kind: 'identity', chat: both, at }]
}
