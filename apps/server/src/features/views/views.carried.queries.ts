import { ViewFilters } from '@balcao/contract/views.ts'
import { type Carried, carried, type IdOf } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfViews: Carried[] = [carried('saved_views', { inside: { filters: idsOfFilters } })]

/** The lists that a view is narrowed to. */
function idsOfFilters(given: unknown, idOf: IdOf): ViewFilters {
  const { queueIds, tags, contactCategories, searchContactId, searchUserId, ...rest } =
    ViewFilters.parse(given)
  return {
    ...rest,
    ...(queueIds && { queueIds: queueIds.map(id => (id === 0 ? 0 : idOf('queues', id))) }),
    ...(tags && { tags: tags.map(id => idOf('tags', id)) }),
    ...(contactCategories && { contactCategories: contactCategories.map(id => idOf('categories', id)) }),
    ...(searchContactId && { searchContactId: idOf('contacts', searchContactId) }),
    ...(searchUserId && { searchUserId: idOf('users', searchUserId) }),
  }
}
