import type { Ticket } from './tickets.ts'

/**
 * The lane of a ticket: of several lanes among its tags the first by name; null for the first lane of the board, which
 * holds those without such a tag. `lanes` are the ids of the tags that are lanes.
 */
export const laneOf = (ticket: Pick<Ticket, 'tags'>, lanes: ReadonlySet<number>): number | null =>
  ticket.tags.find(tag => lanes.has(tag.id))?.id ?? null
