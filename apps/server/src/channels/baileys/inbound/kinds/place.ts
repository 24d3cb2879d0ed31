import type { proto } from 'baileys'
import { countFrom, lineFrom } from '../text.ts'
import { type KindReading, kindOf } from './kind.ts'

const shown = { bubble: 'a map with name and address', words: 'name and address' }

export const placeKind = kindOf(['locationMessage'], { name: 'place', ...shown }, part =>
  placeRead(part, [part.name, part.address].filter(Boolean).join('\n'), { isLive: part.isLive === true }),
)

export const livePlaceKind = kindOf(
  ['liveLocationMessage'],
  { name: 'live place', bubble: 'a map; the place moves', words: 'its caption' },
  part => placeRead(part, part.caption, { isLive: true, sequence: countFrom(part.sequenceNumber) ?? 0 }),
)

function placeRead(
  part: proto.Message.ILocationMessage,
  body: string | null | undefined,
  { isLive, sequence }: { isLive: boolean; sequence?: number },
): KindReading {
  const { degreesLatitude: latitude, degreesLongitude: longitude } = part
  const isOnEarth = Math.abs(latitude ?? Number.NaN) <= 90 && Math.abs(longitude ?? Number.NaN) <= 180
  const data = {
    latitude,
    longitude,
    name: lineFrom(part.name),
    address: lineFrom(part.address, 1_000),
    isLive,
    ...(sequence !== undefined && { sequence }),
  }
  return { mediaType: 'location', body, ...(isOnEarth && { data }) }
}
