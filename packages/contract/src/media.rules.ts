import type { FormData } from './kinds.ts'
import type { AlbumData, CallData, CardData, ChoiceData, LinkData, PlaceData } from './media.ts'

/**
 * Parsers of a message's `dataJson`, by the shapes of `media.ts` but without zod: every screen reads messages, and the
 * shapes would load that library. Each answers null for another shape.
 */
export type Carrier = { dataJson: string | null }

export function placeIn(message: Carrier): PlaceData | null {
  const { latitude, longitude, name = '', address = '', isLive = false, ...live } = carriedFields(message)
  const { movedAt, sequence } = live
  const isPlace =
    within(latitude, 90) && within(longitude, 180) && isText(name) && isText(address) && isYesOrNo(isLive)
  const isLiveToo =
    (movedAt === undefined || isText(movedAt)) && (sequence === undefined || isNumber(sequence))
  return isPlace && isLiveToo
    ? {
        ...{ latitude, longitude, name, address, isLive },
        ...(movedAt !== undefined && { movedAt }),
        ...(sequence !== undefined && { sequence }),
      }
    : null
}

export function cardsIn(message: Carrier): CardData['contacts'] | null {
  return carriedList(carriedFields(message).contacts, card => {
    const { name, phones } = objectOf(card)
    const known = carriedList(
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

export function linkIn(message: Carrier): LinkData | null {
  const { url, title, description = '', thumbnail = '' } = carriedFields(message)
  return isText(url) && isText(title) && isText(description) && isText(thumbnail)
    ? { url, title, description, thumbnail }
    : null
}

/** The album that a picture or film is part of. */
export function albumIn(message: Carrier): AlbumData['album'] | null {
  if (message.dataJson === null) return null
  const { album } = carriedFields(message)
  return isText(album) ? album : null
}

export const formIn = (message: Carrier): FormData['fields'] | null =>
  carriedList(carriedFields(message).fields, field => {
    const { label, value } = objectOf(field)
    return isText(label) && isText(value) ? { label, value } : null
  })

/** A small PNG in base64; empty when there is none. */
export function stillIn(message: Carrier): string {
  const { still } = carriedFields(message)
  return isText(still) && /^[A-Za-z0-9+/]+=*$/.test(still) ? still : ''
}

/** A call; one whose data cannot be read was missed. */
export function callIn(message: Carrier): CallData {
  const { isVideo, outcome, seconds } = carriedFields(message)
  return {
    isVideo: isVideo === true,
    outcome: outcome === 'taken' ? 'taken' : 'missed',
    seconds: isNumber(seconds) ? seconds : null,
  }
}

export const choicesIn = (message: Carrier): ChoiceData['choices'] | null =>
  carriedList(carriedFields(message).choices, choice => (isText(choice) ? choice : null))

/** As in the shapes. */
const MOST = 100

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isYesOrNo = (value: unknown): value is boolean => typeof value === 'boolean'
export const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)
const within = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most

export function carriedFields({ dataJson }: Carrier): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(dataJson ?? ''))
  } catch {
    return {}
  }
}

export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

export function carriedList<T>(value: unknown, read: (one: unknown) => T | null, most = MOST): T[] | null {
  if (!Array.isArray(value) || value.length > most) return null
  const known = value.map(read)
  return known.includes(null) ? null : (known as T[])
}
