import { z } from 'zod'
import { id, page, pageQuery, route, text } from './kit.ts'

/** A location that a company sends often. Deleted ones are kept for the messages that refer to them. */
export const Location = z.object({
  id: z.int(),
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  isDeleted: z.boolean(),
  companyId: z.int(),
})
export type Location = z.infer<typeof Location>

export const LocationInput = z.object({
  name: text(2, 100),
  latitude: z.coerce.number({ error: 'Required' }).min(-90).max(90),
  longitude: z.coerce.number({ error: 'Required' }).min(-180).max(180),
})

/** The map's address at a position. */
export const FoundAddress = z.object({ address: z.string(), latitude: z.number(), longitude: z.number() })
export type FoundAddress = z.infer<typeof FoundAddress>

const locationId = z.object({ locationId: id })

export const locations = {
  list: route('GET', '/locations', {
    needs: 'session',
    summary: 'Places of the company by name, without the deleted ones.',
    query: pageQuery,
    reply: page('locations', Location),
  }),
  show: route('GET', '/locations/:locationId', {
    needs: 'session',
    summary: 'One place.',
    params: locationId,
    reply: Location,
  }),
  search: route('GET', '/locations/addresses', {
    needs: 'session',
    summary: 'Where an address or the name of a place leads, at most five. Refused without MAPS_KEY.',
    query: z.object({ searchParam: text(3, 200), language: z.enum(['pt-BR', 'en', 'es']).optional() }),
    reply: z.object({ addresses: z.array(FoundAddress).max(5) }),
    limit: { counts: 'calls', caller: 30 },
  }),
  create: route('POST', '/locations', {
    needs: 'session',
    summary: 'Adds a place.',
    body: LocationInput,
    reply: Location,
  }),
  change: route('PUT', '/locations/:locationId', {
    edits: '/locations/:locationId',
    needs: 'session',
    summary: 'Changes a place.',
    params: locationId,
    body: LocationInput.partial(),
    reply: Location,
  }),
  remove: route('DELETE', '/locations/:locationId', {
    needs: 'shared:delete',
    summary: 'Deletes a place; messages that hold it keep its coordinates.',
    params: locationId,
  }),
}
