import type { CardData, ChoiceData, LinkData, OrderData, PlaceData } from './media.ts'

/**
 * Parsers of a message's `dataJson`, by the shapes of `media.ts` but without zod: every screen reads messages, and the
 * shapes would load that library. Each answers null for another shape.
 */
type Carrier = { dataJson: string | null }

export function placeIn(message: Carrier): PlaceData | null {
  const { latitude, longitude, name = '', address = '', isLive = false } = fieldsOf(message)
  const isPlace =
    within(latitude, 90) && within(longitude, 180) && isText(name) && isText(address) && isYesOrNo(isLive)
  return isPlace ? { latitude, longitude, name, address, isLive } : null
}

export function cardsIn(message: Carrier): CardData['contacts'] | null {
  return listOf(fieldsOf(message).contacts, card => {
    const { name, phones } = objectOf(card)
    const known = listOf(
      phones,
      phone => {
        const { number, onWhatsApp } = objectOf(phone)
        return isText(number) && isYesOrNo(onWhatsApp) ? { number, onWhatsApp } : null
      },
      Number.POSITIVE_INFINITY,
    )
    return isText(name) && known ? { name, phones: known } : null
  })
}

export const orderIn = (message: Carrier): OrderData['items'] | null =>
  listOf(fieldsOf(message).items, item => {
    const { product, quantity, price, currency } = objectOf(item)
    const isPrice = price === null || isNumber(price)
    return isText(product) && isNumber(quantity) && isPrice && isText(currency)
      ? { product, quantity, price, currency }
      : null
  })

/** An order in one line: what, how many, at what price. Empty without items. */
export const orderedIn = (message: Carrier): string =>
  (orderIn(message) ?? [])
    .map(({ product, quantity, price, currency }) =>
      [`${quantity} × ${product}`, price === null ? '' : `@ ${price} ${currency}`].join(' ').trim(),
    )
    .join(', ')

export function linkIn(message: Carrier): LinkData | null {
  const { url, title, description = '', thumbnail = '' } = fieldsOf(message)
  return isText(url) && isText(title) && isText(description) && isText(thumbnail)
    ? { url, title, description, thumbnail }
    : null
}

export const choicesIn = (message: Carrier): ChoiceData['choices'] | null =>
  listOf(fieldsOf(message).choices, choice => (isText(choice) ? choice : null))

/** As in the shapes. */
const MOST = 100

const isText = (value: unknown): value is string => typeof value === 'string'
const isYesOrNo = (value: unknown): value is boolean => typeof value === 'boolean'
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const within = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most

function fieldsOf({ dataJson }: Carrier): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(dataJson ?? ''))
  } catch {
    return {}
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

function listOf<T>(value: unknown, read: (one: unknown) => T | null, most = MOST): T[] | null {
  if (!Array.isArray(value) || value.length > most) return null
  const known = value.map(read)
  return known.includes(null) ? null : (known as T[])
}
