import { sentKind } from './kind.ts'

export const sentPlace = sentKind<'location'>((_body, { place }) => {
  const { latitude, longitude, name, address } = place
  return { location: { degreesLatitude: latitude, degreesLongitude: longitude, name, address } }
})
