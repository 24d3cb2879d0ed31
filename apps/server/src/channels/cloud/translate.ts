import { z } from 'zod'
import type { BookEntry, Chat, InboundEvent, OldMessage, Target } from '../../driver.ts'
import type { PriceRow } from '../../features/cloud/cloud.prices.queries.ts'
import type { AccountNews } from '../../features/cloud/cloud.rules.ts'
import { accountNewsOf, isGivenBack, RECONNECTED, tellsOfAccount } from './account.ts'
import { actOf } from './acts.ts'
import {
  type AppHistory,
  addPast,
  bookEntryOf,
  type GraphHistory,
  type GraphStateSync,
  oldMessageOf,
  readHistory,
} from './app-sync.ts'
import { callNews, type GraphCall } from './calls.ts'
import { type GraphContent, type GraphMessage, graphContentOf } from './content.ts'
import {
  chatOfMessage,
  type GraphContact,
  type GraphPreference,
  type GraphUserIdUpdate,
  nameOf,
  preferenceNews,
  sharedNumber,
  systemNews,
  userIdNews,
} from './identity.ts'
import { votesIn } from './polls.ts'
import { referralOf } from './referral.ts'
import { type GraphStatus, statusEvents } from './statuses.ts'
import { asText, graphTimeOf, Id, listedIn, type Names } from './values.ts'

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
  metadata?: { phone_number_id?: string; display_phone_number?: string }
  contacts?: GraphContact[]
  messages?: GraphMessage[]
  message_echoes?: GraphMessage[]
  statuses?: GraphStatus[]
  calls?: GraphCall[]
  history?: GraphHistory[]
  state_sync?: GraphStateSync[]
  user_preferences?: GraphPreference[]
  user_id_update?: GraphUserIdUpdate[]
}

export interface Translated {
  incoming: InboundEvent[]
  /** Meta's ids of our messages, from statuses. */
  named: { externalId: string; wamid: string }[]
  /** News of the account: what is known of it has to be asked again. */
  account: string[]
  /** What it reported of the account itself. */
  standing: AccountNews[]
  /** What the Business app on the company's phone had before: see `readHistory`. */
  past: AppHistory
  /** Names of the phone's address book. */
  book: BookEntry[]
  strange: string[]
  /** What Meta charges for our messages. */
  prices: PriceRow[]
}

/** All ids of Meta's in a delivery that may be ours; which of them are echoes, and which are reacted to. */
export function idsIn(changes: Change[]) {
  const values = changes.flatMap(({ value }) => value ?? [])
  const written = values.flatMap(value => listedIn(value.message_echoes))
  const messages = [...values.flatMap(value => listedIn(value.messages)), ...written]
  const statuses = values.flatMap(value => listedIn(value.statuses))
  const wamids = [
    ...written.map(one => one.id),
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
  return {
    wamids: texts(wamids),
    externalIds: texts(externalIds),
    echoes: texts(written.map(one => one.id)),
    reactedTo: texts(messages.map(one => one.reaction?.message_id)),
  }
}

/** Everything in these changes in the product's words, in Meta's order. */
export function translateChanges(changes: Change[], names: Names): Translated {
  const past: AppHistory = { old: [], isWhole: false, isDeclined: false, strange: [], silent: 0 }
  const translated: Translated = {
    ...{ incoming: [], named: [], account: [], standing: [], past, book: [], strange: [], prices: [] },
  }
  for (const change of changes) {
    const { field = '', value } = change
    if (readAppSync(field, value, translated)) continue
    const read = [
      ...readEach(value?.messages, one => messageNews(one, value!, names, { fromMe: false })),
      ...readEach(value?.message_echoes, one => messageNews(one, value!, names, { fromMe: true })),
      ...readEach(value?.statuses, one => statusEvents(one, names, translated)),
      ...readEach(value?.calls, one => callNews(one, value?.contacts)),
      ...readEach(value?.user_preferences, preferenceNews),
      ...readEach(value?.user_id_update, userIdNews),
    ]
    for (const { one, events } of read)
      if (events?.every(isSound)) translated.incoming.push(...events)
      else translated.strange.push(JSON.stringify(one))
    if (read.length > 0) continue
    translated.account.push(field)
    if (field === 'account_update' && isGivenBack(value)) translated.account.push(RECONNECTED)
    const news = field === 'account_update' ? accountNewsOf(value, graphTimeOf(change.time)) : []
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

/** History and address book of the phone's app; false for any other field. Their messages open no ticket. */
function readAppSync(field: string, value: Value | undefined, { past, book, strange }: Translated): boolean {
  const own = asText(value?.metadata?.display_phone_number)
  if (field === 'history')
    for (const read of [
      ...readEach(value?.history, one => readHistory(one, own)),
      // files follow by themselves, for messages that came without
      ...readEach(value?.messages, one => oldMessageOf(one, own)),
    ])
      addPast(past, strange, read)
  if (field === 'smb_app_state_sync')
    for (const { one, events: entry } of readEach(value?.state_sync, bookEntryOf))
      if (entry) book.push(entry)
      else strange.push(JSON.stringify(one))
  return field === 'history' || field === 'smb_app_state_sync'
}

/** One item that is not what it should be must not hold up the others. */
const readEach = <Item, Read>(list: Item[] | undefined, read: (one: Item) => Read | null) =>
  (Array.isArray(list) ? list : []).map(one => ({ one, events: attempt(() => read(one)) }))

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

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
  const at = graphTimeOf(message.timestamp)
  // an answer would go to the person alone
  if (message.group_id) return null
  if (message.type === 'system') return systemNews(message, at)
  const people = listedIn(contacts)
  const chat = chatOfMessage(message, people, { fromMe })
  if (!chat || !message.id) return null
  // it is here already, under our id
  if (fromMe && names.isOurs(message.id)) return []
  const name = nameOf(chat, people)
  const target = (of: string): Target => ({ externalId: names.ours(of), fromMe: names.isOfCompany(of) })
  if (message.type === 'reaction') {
    const { message_id: of, emoji = '' } = message.reaction ?? {}
    if (!of) return null
    return [{ kind: 'reaction', chat, fromMe, name, target: target(of), emoji, at }]
  }
  if (message.type === 'edit') {
    const { original_message_id: of, message: now } = message.edit ?? {}
    const body = now && graphContentOf(now)?.body
    if (!of) return null
    if (body === undefined) return [inboundMessage(message, chat, names, { name, fromMe, at })]
    // the phone also changes what was sent from here, which has our id
    return [{ kind: 'edit', chat, fromMe, name, target: { externalId: names.ours(of), fromMe }, body, at }]
  }
  if (message.type === 'revoke') {
    const of = message.revoke?.original_message_id
    return of ? [{ kind: 'delete', chat, fromMe, target: { externalId: names.ours(of), fromMe }, at }] : null
  }
  const received = inboundMessage(message, chat, names, { name, fromMe, at })
  return [received, ...(fromMe ? [] : [...votesIn(received), ...sharedNumber(message, chat, at)])]
}

function inboundMessage(
  message: GraphMessage,
  chat: Chat,
  names: Names,
  { name, fromMe, at }: { name: string; fromMe: boolean; at: string },
): OldMessage {
  const { id, context, edit } = message
  const about = context?.id || edit?.original_message_id
  const referral = fromMe ? null : referralOf(message)
  const content: GraphContent = actOf(message) ??
    graphContentOf(message) ?? {
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
    ...(about && { quotedExternalId: names.ours(about) }),
    ...(referral && { referral }),
    ...((context?.forwarded || context?.frequently_forwarded) && { isForwarded: true }),
    ...(!fromMe && { repliesUntil: new Date(Date.parse(at) + WINDOW_MS).toISOString() }),
    at,
  }
}
