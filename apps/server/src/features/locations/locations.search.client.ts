import type { FoundAddress, locations } from '@balcao/contract/locations.ts'
import { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'

type Query = z.output<(typeof locations.search)['query']>

const SHOWN = 5

/** The used part of an answer of Google's geocoder. */
const Answer = z.object({
  status: z.string(),
  error_message: z.string().optional(),
  results: z
    .array(
      z.object({
        formatted_address: z.string(),
        geometry: z.object({ location: z.object({ lat: z.number(), lng: z.number() }) }),
      }),
    )
    .default([]),
})

/**
 * The coordinates of an address. Refuses with ERR_NO_MAPS_KEY without a key, and with ERR_MAPS_SEARCH when Google does not
 * answer or refuses the key: one restricted to web addresses shows maps but finds nothing.
 */
export async function findAddresses(
  { config, outbound, log }: Platform,
  { searchParam, language = 'pt-BR' }: Query,
): Promise<FoundAddress[]> {
  if (!config.mapsKey) refuse('ERR_NO_MAPS_KEY')
  const query = new URLSearchParams({ address: searchParam, language, region: 'br', key: config.mapsKey })
  const answer = await outbound
    .by({ target: 'lookups', companyId: null })
    .fetchOutside(`${config.mapsApiUrl}/maps/api/geocode/json?${query}`)
    .then(({ body }) => Answer.parse(JSON.parse(body.toString())))
    .catch(error => {
      log.warn({ err: error }, 'the address search did not answer')
      refuse('ERR_MAPS_SEARCH')
    })
  if (answer.status === 'ZERO_RESULTS') return []
  if (answer.status !== 'OK') {
    log.warn({ status: answer.status, says: answer.error_message }, 'the address search was refused')
    refuse('ERR_MAPS_SEARCH')
  }
  return answer.results.slice(0, SHOWN).map(({ formatted_address: address, geometry: { location } }) => ({
    address,
    latitude: location.lat,
    longitude: location.lng,
  }))
}
