import { LocationInput } from '@balcao/contract/locations.ts'

export interface Point {
  latitude: number
  longitude: number
}

const NUMBER = String.raw`(-?\d{1,3}(?:\.\d+)?)`

/** Where map links hold coordinates; the pin before the centre of the view. */
const inLinks = [
  `!3d${NUMBER}!4d${NUMBER}`,
  `[?&](?:q|query|ll|destination|center)=(?:loc:)?${NUMBER},\\+?${NUMBER}`,
  `[?&]mlat=${NUMBER}&mlon=${NUMBER}`,
  `^geo:${NUMBER},${NUMBER}`,
  `/(?:search|place)/${NUMBER},\\+?${NUMBER}`,
  `@${NUMBER},${NUMBER}`,
  `#map=[\\d.]+/${NUMBER}/${NUMBER}`,
].map(pattern => new RegExp(pattern))
const plain = new RegExp(`^${NUMBER}\\s*[,;\\s]\\s*${NUMBER}$`)

const Position = LocationInput.omit({ name: true })

/** `lat, lng` or a copied map link; null when it is no valid coordinate. */
export function pointOf(text: string): Point | null {
  const written = decoded(text.trim())
  const patterns = /^(https?|geo):/.test(written) ? inLinks : [plain]
  const found = patterns.map(pattern => pattern.exec(written)).find(match => match !== null)
  const point = Position.safeParse({ latitude: found?.[1], longitude: found?.[2] })
  return point.success ? point.data : null
}

function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const written = ({ latitude, longitude }: Point) => `${latitude}, ${longitude}`
