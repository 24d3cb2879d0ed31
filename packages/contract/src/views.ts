import { z } from 'zod'
import { channel, flag, id, route, text } from './kit.ts'
import { TicketListInput, TicketSort } from './tickets.ts'

/** Most views that a user keeps, and that a company shares. */
export const MAX_VIEWS = 50

/** A count is exact up to here: one more means that there are others. */
export const VIEW_COUNTED_AT_MOST = 99

/** What a view asks the list of tickets for: its query without page and order. */
export const ViewFilters = TicketListInput.omit({ pageNumber: true, sort: true, news: true })
export type ViewFilters = z.infer<typeof ViewFilters>

/** A list of tickets by name: filters and order, of one user or of all. */
export const SavedView = z.object({
  id: z.int(),
  name: z.string(),
  shared: z.boolean(),
  /** Whether the caller made it. */
  mine: z.boolean(),
  filters: ViewFilters,
  sort: TicketSort.nullable(),
  position: z.int(),
  /** How many tickets of it the caller sees, 100 for more than 99; left out where a search is part of it. */
  count: z.int().optional(),
})
export type SavedView = z.infer<typeof SavedView>

const position = z.int().min(0).max(1_000)

export const SavedViewInput = z.object({
  name: text(1, 40),
  /** Only with the right to share. */
  shared: flag.optional(),
  filters: ViewFilters,
  sort: TicketSort.nullable().optional(),
  position: position.optional(),
})
export type SavedViewInput = z.infer<typeof SavedViewInput>

const viewId = z.object({ viewId: id })

export const views = {
  list: route('GET', '/views', {
    needs: 'session',
    summary:
      'The caller’s own views and the shared ones, in their order, with how many tickets of each the caller sees (some seconds old).',
    reply: z.object({ views: z.array(SavedView) }),
  }),
  create: route('POST', '/views', {
    needs: 'session',
    summary:
      'Keeps filters of GET /tickets under a name. A shared one needs the right to it; ERR_TOO_MANY_KEPT beyond 50.',
    body: SavedViewInput,
    reply: SavedView,
  }),
  change: route('PUT', '/views/:viewId', {
    needs: 'session',
    summary: 'Changes a view: an own one, or with the right to share a shared one. What is left out stays.',
    params: viewId,
    body: SavedViewInput.partial(),
    reply: SavedView,
  }),
  remove: route('DELETE', '/views/:viewId', {
    needs: 'session',
    summary: 'Deletes a view: an own one, or with the right to share a shared one.',
    params: viewId,
  }),
}

/** A view that the viewer has was added, changed or deleted. */
export const viewChannel = channel('view-{companyId}', z.object({ viewId: z.int() }))
