import { z } from 'zod'
import type { Chat, InboundEvent, Target } from '../../driver.ts'
import type { AccountNews } from '../../features/cloud/cloud.rules.ts'
import { accountNewsOf, tellsOfAccount } from './account.ts'
import { asText, type GraphContent, type GraphMessage, graphContentOf } from './content.ts'
import { type LateError, lateReason } from './errors.ts'

/** The customer wrote: so long the company may answer freely (Meta, "Customer service windows"). */
const WINDOW_MS = 24 * 3_600_000

export interface WebhookBody {
  entry?: { id?: string; time?: number; changes?: Change[] }[]
}
export interface Change {
  field?: string
  value?: Value
  /** Of its entry, by Meta's clock. */
  time?: number
}
interface Value {
  metadata?: { phone_number_id?: string }
  contacts?: GraphContact[]
  messages?: GraphMessage[]
  message_echoes?: GraphMessage[]
  statuses?: GraphStatus[]
  user_preferences?: GraphPreference[]
  user_id_update?: { wa_id?: string; user_id?: { previous?: string; current?: string }; timestamp?: string }[]
}
/** Page "user_preferences webhook reference". */
interface GraphPreference {
  wa_id?: string
  user_id?: string
  category?: string
  value?: string
  timestamp?: string | number
}
interface GraphContact {
  profile?: { name?: string }
  wa_id?: string
  user_id?: string
}
interface GraphStatus {
  id?: string
  status?: string
  timestamp?: string
  recipient_id?: string
  recipient_user_id?: string
  biz_opaque_callback_data?: string
  errors?: LateError[]
}

/** How our messages are named on both sides. */
export interface Names {
  /** Ours for one of Meta's; the same when it is not ours. */
  ours(wamid: string): string
  isOurs(wamid: string): boolean
  /** Meta's id of our message, once known; a later try has another one than the first. */
  theirs(externalId: string): string | undefined
}

export interface Translated {
  incoming: InboundEvent[]
  /** Meta's ids of our messages, from statuses. */
  named: { externalId: string; wamid: string }[]
  /** News of the account: what is known of it has to be asked again. */
  account: string[]
  /** What it reported of the account itself. */
  standing: AccountNews[]
  strange: string[]
}

const listOf = <T>(given: T[] | undefined): T[] => (Array.isArray(given) ? given.filter(Boolean) : [])

/** All ids of Meta's in a delivery that may be ours. */
export function idsIn(changes: Change[]) {
  const values = changes.flatMap(({ value }) => value ?? [])
  const messages = values.flatMap(value => [...listOf(value.messages), ...listOf(value.message_echoes)])
  const statuses = values.flatMap(value => listOf(value.statuses))
  const wamids = [
    ...messages.flatMap(one => [
      one.context?.id,
      one.reaction?.message_id,
      one.edit?.original_message_id,
      one.revoke?.original_message_id,
    ]),
    ...statuses.map(one => one.id),
  ]
  const externalIds = statuses.map(one => one.biz_opaque_callback_data)
  const texts = (list: unknown[]) =>
    [...new Set(list)].filter(one => typeof one === 'string' && one !== '') as string[]
  return { wamids: texts(wamids), externalIds: texts(externalIds) }
}

/** Everything in these changes in the product's words, in Meta's order. */
export function translateChanges(changes: Change[], names: Names): Translated {
  const translated: Translated = { incoming: [], named: [], account: [], standing: [], strange: [] }
  for (const change of changes) {
    const { field = '', value } = change
    const read = [
      ...readEach(value?.messages, one => messageNews(one, value!, names, { fromMe: false })),
      ...readEach(value?.message_echoes, one => messageNews(one, value!, names, { fromMe: true })),
      ...readEach(value?.statuses, one => statusEvents(one, names, translated)),
      ...readEach(value?.user_preferences, preferenceNews),
      ...readEach(value?.user_id_update, userIdNews),
    ]
    for (const { one, events } of read)
      if (events?.every(isSound)) translated.incoming.push(...events)
      else translated.strange.push(JSON.stringify(one))
    if (read.length > 0) continue
    translated.account.push(field)
    const news = field === 'account_update' ? accountNewsOf(value, timeOf(change.time)) : []
    translated.standing.push(...news)
    const isUnread = news.length === 0 && (!SILENT.has(field) || tellsOfAccount(value))
    if (isUnread) translated.strange.push(JSON.stringify(change))
  }
  return translated
}

/** News of the account that is asked for again instead of being read. */
const SILENT = new Set([
  'account_update',
  'account_alerts',
  'phone_number_quality_update',
  'phone_number_name_update',
  'message_template_status_update',
  'message_template_quality_update',
  'template_category_update',
  'business_capability_update',
])

/** One item that is not what it should be must not hold up the others. */
const readEach = <Item>(list: Item[] | undefined, read: (one: Item) => InboundEvent[] | null) =>
  (Array.isArray(list) ? list : []).map(one => ({ one, events: attempt(() => read(one)) }))

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

const Id = z.string().max(500)
const SoundChat = z.looseObject({ value: Id, also: z.looseObject({ value: Id }).optional() })
/** What the rest of the product requires of every inbound event. */
const Sound = z.looseObject({
  chat: SoundChat,
  at: z.iso.datetime(),
  externalId: Id.optional(),
  quotedExternalId: Id.optional(),
  target: z.looseObject({ externalId: Id }).optional(),
  name: z.string().optional(),
  body: z.string().optional(),
  emoji: z.string().max(100).optional(),
  mediaType: z.string().max(100).nullish(),
  file: z.looseObject({ name: z.string(), type: z.string(), source: z.string() }).optional(),
  reason: z.string().optional(),
})
const isSound = (events: InboundEvent) => Sound.safeParse(events).success

function messageNews(
  message: GraphMessage,
  { contacts = [] }: Value,
  names: Names,
  { fromMe }: { fromMe: boolean },
): InboundEvent[] | null {
  const at = timeOf(message.timestamp)
  if (message.type === 'system') return systemNews(message, at)
  const chat = fromMe
    ? chatOf(message.to ?? contacts[0]?.wa_id, message.to_user_id)
    : chatOf(message.from, message.from_user_id)
  if (!chat || !message.id) return null
  const name = nameOf(chat, contacts)
  const target = (of: string): Target => ({ externalId: names.ours(of), fromMe: names.isOurs(of) })
  if (message.type === 'reaction') {
    const { message_id: of, emoji = '' } = message.reaction ?? {}
    if (!of) return null
    return [{ kind: 'reaction', chat, fromMe, name, target: target(of), emoji, at }]
  }
  if (message.type === 'edit') {
    const { original_message_id: of, message: now } = message.edit ?? {}
    const body = now && graphContentOf(now)?.body
    if (!of || body === undefined) return null
    return [{ kind: 'edit', chat, fromMe, name, target: { externalId: of, fromMe }, body, at }]
  }
  if (message.type === 'revoke') {
    const of = message.revoke?.original_message_id
    return of ? [{ kind: 'delete', chat, fromMe, target: { externalId: of, fromMe }, at }] : null
  }
  return [inboundMessage(message, chat, names, { name, fromMe, at })]
}

function inboundMessage(
  message: GraphMessage,
  chat: Chat,
  names: Names,
  { name, fromMe, at }: { name: string; fromMe: boolean; at: string },
): InboundEvent {
  const { id, context } = message
  const content: GraphContent = graphContentOf(message) ?? {
    body: '',
    mediaType: message.type || 'unsupported',
  }
  return {
    kind: 'message',
    chat,
    externalId: id,
    fromMe,
    name,
    ...content,
    ...(context?.id && { quotedExternalId: names.ours(context.id) }),
    ...((context?.forwarded || context?.frequently_forwarded) && { isForwarded: true }),
    ...(!fromMe && { repliesUntil: new Date(Date.parse(at) + WINDOW_MS).toISOString() }),
    at,
  }
}

/** A person took another number, or another user id: the new one first, what it was before beside it. */
function systemNews({ from, from_user_id: userId, system }: GraphMessage, at: string): InboundEvent[] | null {
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

/** The page renamed it; both are sent. */
const MARKETING = ['marketing_messages', 'marketing']

function preferenceNews(given: GraphPreference): InboundEvent[] | null {
  const chat = chatOf(given.wa_id, given.user_id)
  const isWanted = given.value === 'resume'
  if (!chat || !MARKETING.includes(given.category ?? '') || !(isWanted || given.value === 'stop')) return null
  return [{ kind: 'marketing', chat, isWanted, at: timeOf(given.timestamp) }]
}

function userIdNews({
  user_id: ids,
  timestamp,
}: NonNullable<Value['user_id_update']>[number]): InboundEvent[] | null {
  const { previous, current } = ids ?? {}
  if (!previous || !current) return null
  const chat: Chat = { kind: 'cloud', value: current, also: { kind: 'cloud', value: previous } }
  return [{ kind: 'identity', chat, at: timeOf(timestamp) }]
}

const ACKS: Record<string, number> = { failed: 0, sent: 2, delivered: 3, read: 4, played: 5 }

function statusEvents(status: GraphStatus, names: Names, translated: Translated): InboundEvent[] | null {
  const { id, recipient_id: number, recipient_user_id: userId, errors } = status
  const ack = ACKS[status.status ?? '']
  if (!id || ack === undefined) return null
  const externalId = status.biz_opaque_callback_data || names.ours(id)
  const latest = names.theirs(externalId)
  // A failed try is no statement about the next one.
  if (ack === 0 && latest !== undefined && latest !== id) return []
  if (!Id.safeParse(externalId).success || !Id.safeParse(id).success) return null
  if (status.biz_opaque_callback_data && latest === undefined)
    translated.named.push({ externalId, wamid: id })
  const chat = chatOf(number, userId) ?? { kind: 'phone', value: '' }
  const reason = ack === 0 ? { reason: lateReason(errors?.[0]) } : {}
  return [{ kind: 'ack', chat, externalId, ack, ...reason, at: timeOf(status.timestamp) }]
}

/** By number where it is shown, with the user id beside it. */
function chatOf(number: string | undefined, userId: string | undefined): Chat | null {
  const cloud = userId ? { kind: 'cloud' as const, value: userId } : null
  if (number && /^\d{5,20}$/.test(number))
    return { kind: 'phone', value: number, ...(cloud && { also: cloud }) }
  // Older versions put the user id where the number stood.
  if (number && !cloud) return { kind: 'cloud', value: number }
  return cloud
}

const nameOf = (chat: Chat, contacts: GraphContact[]) =>
  asText(
    listOf(contacts).find(one =>
      [one.wa_id, one.user_id].some(id => id && [chat.value, chat.also?.value].includes(id)),
    )?.profile?.name,
  )

/** Nothing is from the future; Meta's clock may be a little ahead. */
const AHEAD_MS = 600_000

function timeOf(seconds: string | number | undefined): string {
  const now = Date.now()
  const ms = Number(seconds ?? '') * 1000
  return new Date(ms > 0 && ms < now + AHEAD_MS ? ms : now).toISOString()
}
