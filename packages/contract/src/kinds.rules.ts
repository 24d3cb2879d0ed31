import type {
  ChatEventData,
  EventData,
  GroupInviteData,
  Happening,
  PaymentData,
  PollData,
  ProductData,
} from './kinds.ts'
import {
  type Carrier,
  carriedFields,
  carriedList,
  isNumber,
  isText,
  isYesOrNo,
  objectOf,
} from './media.rules.ts'
import type { OrderData } from './media.ts'

// Parsers of `dataJson` of kinds that are rare, without zod as in media.rules.ts; screens load them when the first is shown.
// Each answers null for another shape.

const MOST_ANSWERS = 1_024

const SHOWN = new Set([
  ...['image', 'video', 'audio', 'document', 'sticker', 'location', 'vcard', 'call_log'],
  ...['poll', 'order', 'event', 'chat_event', 'viewOnceMessage', 'groupInviteMessage', 'productMessage'],
  ...['editedMessage', 'reactionMessage', 'ciphertext', 'masked', 'payment'],
])

/** False for a kind that is kept under the network's name, without its content. */
export const isShownKind = (mediaType: string | null): boolean => mediaType === null || SHOWN.has(mediaType)

export function pollIn(message: Carrier): PollData | null {
  const { choices, isMultiple = false, votes = [] } = carriedFields(message)
  const labels = carriedList(choices, one => (isText(one) ? one : null))
  const known = carriedList(
    votes,
    vote => {
      const { by, name, at, choices: chosen } = objectOf(vote)
      const numbers = carriedList(chosen, one => (isNumber(one) ? one : null))
      return isText(by) && isText(name) && isText(at) && numbers ? { by, name, at, choices: numbers } : null
    },
    MOST_ANSWERS,
  )
  return labels && known && isYesOrNo(isMultiple) ? { choices: labels, isMultiple, votes: known } : null
}

/** Who chose each choice of a poll, in the order of the choices. */
export const votersOf = ({ choices, votes }: PollData): string[][] =>
  choices.map((_, at) => votes.filter(vote => vote.choices.includes(at)).map(({ name }) => name))

const REPLIES = ['going', 'maybe', 'notGoing'] as const

export function eventIn(message: Carrier): EventData | null {
  const { name, description, place, startsAt, endsAt, isCanceled, replies } = carriedFields(message)
  const known = carriedList(
    replies,
    one => {
      const { by, name: who, at, reply, guests } = objectOf(one)
      const isReply = isText(by) && isText(who) && isText(at) && isNumber(guests)
      const answer = REPLIES.find(each => each === reply)
      return isReply && answer ? { by, name: who, at, reply: answer, guests } : null
    },
    MOST_ANSWERS,
  )
  const isTimed = isTextOrNull(startsAt) && isTextOrNull(endsAt)
  const isNamed = isText(name) && isText(description) && isText(place)
  return isNamed && isTimed && isYesOrNo(isCanceled) && known
    ? { name, description, place, startsAt, endsAt, isCanceled, replies: known }
    : null
}

const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)

const isNumberOrNull = (value: unknown): value is number | null => value === null || isNumber(value)

export function orderIn(message: Carrier): OrderData | null {
  const { items: given, note = null, title = '', ...sum } = carriedFields(message)
  const { count = null, total = null, currency = '' } = sum
  const items = carriedList(given, itemIn)
  const isNoted = note === null || isText(note)
  const isOrder =
    isNoted && isText(title) && isNumberOrNull(count) && isNumberOrNull(total) && isText(currency)
  return items && isOrder ? { items, note, title, count, total, currency } : null
}

function itemIn(item: unknown): OrderData['items'][number] | null {
  const { product, name = '', quantity, price, currency } = objectOf(item)
  return isText(product) && isText(name) && isNumber(quantity) && isNumberOrNull(price) && isText(currency)
    ? { product, name, quantity, price, currency }
    : null
}

/** The body of an order, for bots and searches: what was written with it, and what is ordered. */
export const orderWords = (note: string, { items, title, count }: OrderData): string =>
  [
    note,
    ...items.map(({ product, name, quantity }) => `${quantity} × ${name || product}`),
    ...(items.length === 0 && title ? [[count && `${count} ×`, title].filter(Boolean).join(' ')] : []),
  ]
    .filter(Boolean)
    .join('\n')

/** An order in one line: what, how many, at what price; without items its title, their number and the total. */
export function orderedIn(message: Carrier): string {
  const order = orderIn(message)
  if (!order) return ''
  const { items, title, count, total, currency } = order
  if (items.length === 0)
    return [title, count && `${count} ×`, total !== null && `${total} ${currency}`].filter(Boolean).join(' ')
  return items
    .map(({ product, name, quantity, price, currency: unit }) =>
      [`${quantity} × ${name || product}`, price === null ? '' : `@ ${price} ${unit}`].join(' ').trim(),
    )
    .join(', ')
}

/** The body of a payment, for bots, searches and exports: without words of a language. */
export const paymentWords = ({ note, pix, items, amount, currency, reference }: PaymentData): string =>
  [
    note,
    pix?.name,
    pix?.key,
    ...items.map(({ name, quantity }) => `${quantity} × ${name}`),
    amount === null ? '' : `${amount} ${currency}`.trim(),
    items.length > 0 ? '' : reference,
  ]
    .filter(Boolean)
    .join('\n')

const PAYMENTS = [
  'pix',
  'request',
  'sent',
  'review',
  'status',
  'invoice',
  'invite',
  'declined',
  'canceled',
] as const

export function paymentIn(message: Carrier): PaymentData | null {
  const { what, amount = null, currency = '', pix, items: given, ...rest } = carriedFields(message)
  const { status = '', reference = '', note = '' } = rest
  const known = PAYMENTS.find(one => one === what)
  const items = carriedList(given, one => {
    const { name, quantity, price } = objectOf(one)
    return isText(name) && isNumber(quantity) && isNumberOrNull(price) ? { name, quantity, price } : null
  })
  const isSum = isNumberOrNull(amount) && isText(currency)
  return known && items && isSum && isText(status) && isText(reference) && isText(note)
    ? { what: known, amount, currency, pix: pixIn(pix), items, status, reference, note }
    : null
}

function pixIn(given: unknown): PaymentData['pix'] {
  const { key, keyType, name } = objectOf(given)
  return isText(key) && isText(keyType) && isText(name) ? { key, keyType, name } : null
}

export function productIn(message: Carrier): ProductData | null {
  const { title, description, price, currency, url, note } = carriedFields(message)
  const isNamed = isText(title) && isText(description) && isText(note) && isText(url)
  return isNamed && isNumberOrNull(price) && isText(currency)
    ? { title, description, price, currency, url, note }
    : null
}

export function groupInviteIn(message: Carrier): GroupInviteData | null {
  const { name, note, until } = carriedFields(message)
  return isText(name) && isText(note) && isTextOrNull(until) ? { name, note, until } : null
}

const HAPPENINGS: readonly Happening[] = [
  'subject',
  'description',
  'created',
  'added',
  'joined',
  'removed',
  'left',
  'promoted',
  'demoted',
  'adminsOnly',
  'everyone',
  'editedByAdmins',
  'editedByEveryone',
  'pinned',
  'unpinned',
  'inviteLink',
  'numberChanged',
  'approvalOn',
  'approvalOff',
  'asksToJoin',
  'joinEnded',
  'timerOn',
  'timerOff',
  'changed',
  'voted',
  'reacted',
  'kept',
  'withdrew',
  'undelivered',
]

export function chatEventIn(message: Carrier): ChatEventData | null {
  const { what, people } = carriedFields(message)
  const known = HAPPENINGS.find(one => one === what)
  const names = carriedList(people, one => (isText(one) ? one : null))
  return known && names ? { what: known, people: names } : null
}

/**
 * What the body of a message does not say, in one line without words of a language: votes of a poll, time, place and
 * replies of an event, people of a line of the chat. Empty for any other kind.
 */
export function outlineOf(message: Carrier & { mediaType: string | null }): string {
  if (message.mediaType === 'poll') return outlineOfPoll(pollIn(message))
  if (message.mediaType === 'event') return outlineOfEvent(eventIn(message))
  return message.mediaType === 'chat_event' ? (chatEventIn(message)?.people.join(', ') ?? '') : ''
}

const outlineOfPoll = (poll: PollData | null) =>
  poll
    ? votersOf(poll)
        .map((voters, at) => `${poll.choices[at]}: ${voters.length}`)
        .join(', ')
    : ''

function outlineOfEvent(event: EventData | null) {
  if (!event) return ''
  const time = [event.startsAt, event.endsAt].filter(Boolean).join(' – ')
  const coming = event.replies.filter(({ reply }) => reply === 'going').map(({ name }) => name)
  return [time, event.place, coming.length > 0 && `+ ${coming.join(', ')}`].filter(Boolean).join(' · ')
}
