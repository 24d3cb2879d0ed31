import type { Seen } from '@balcao/contract/edits.rules.ts'
import { locations } from '@balcao/contract/locations.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain, queryClient } from '../../platform/query.ts'
import { htmlLanguage, language } from '../../platform/text.ts'
import type { Point } from './locations.point.ts'

const KEY = ['locations']
/** Documented: the list is reloaded after this time. */
const RELOAD_MS = 1_500

export const locationList = pagedList(locations.list, 'locations')

export const oneLocation = oneRow('locations', locationId => call(locations.show, { params: { locationId } }))

/** An empty search makes no request. */
export const addressSearch = (searchParam: string) =>
  queryOptions({
    queryKey: ['addresses', searchParam, language()],
    queryFn: async ({ signal }) => {
      const query = { searchParam, language: htmlLanguage[language()] }
      return (await call(locations.search, { query, signal })).addresses
    },
    enabled: searchParam !== '',
    retry: false,
  })

/** Adds a location, or changes one. Throws ApiError. */
export async function saveLocation(
  locationId: number | null,
  body: Point & { name: string },
  seen?: Seen,
): Promise<void> {
  await (locationId === null
    ? call(locations.create, { body })
    : call(locations.change, { params: { locationId }, body, seen }))
  await askAgain({ queryKey: KEY })
}

/** Deletes a location; the list is empty until it is reloaded. Throws ApiError. */
export async function removeLocation(locationId: number): Promise<void> {
  await call(locations.remove, { params: { locationId } })
  queryClient.setQueriesData({ queryKey: [...KEY, 'list'] }, { pages: [], pageParams: [] })
  setTimeout(() => void queryClient.resetQueries({ queryKey: [...KEY, 'list'] }), RELOAD_MS)
}
