import { z } from 'zod'
import { id, route } from './kit.ts'
import { TagChoice } from './tags.ts'
import { Ticket, TicketHit, TicketListInput } from './tickets.ts'

/** The board shows whole lanes: its pages are as large as is reasonable. */
export const BOARD_PAGE = 500
/** Maximum of loaded cards. */
export const BOARD_AT_MOST = 10_000
/** Maximum of lanes that are put in order. */
export const ORDERED_AT_MOST = 500
/** Maximum of cards moved in one call. */
export const MOVED_AT_MOST = 100

export const BoardInput = TicketListInput.pick({
  searchParam: true,
  pageNumber: true,
  showAll: true,
  queueIds: true,
  withUnreadMessages: true,
  tags: true,
  contactCategories: true,
  searchContactId: true,
  searchUserId: true,
  searchInitialDate: true,
  searchFinalDate: true,
})
export type BoardInput = z.infer<typeof BoardInput>

export const kanban = {
  lanes: route('GET', '/tagskanban', {
    needs: 'session',
    summary:
      'The lanes of the board beside the first: tags whose kanban is 1, in the order that the company gave them, else by name.',
    reply: z.object({ lista: z.array(TagChoice) }),
  }),
  order: route('PUT', '/tagskanban', {
    needs: 'session',
    summary: 'Puts lanes in this order, for the whole company; those that are not named follow as they were.',
    body: z.object({ tagIds: z.array(id).min(1).max(ORDERED_AT_MOST) }),
    reply: z.object({ lista: z.array(TagChoice) }),
  }),
  tickets: route('GET', '/ticketkanban', {
    needs: 'session',
    summary:
      'Open and pending tickets of the queues of the caller, whoever attends them, who waits longest first, 500 a page. What the query asks only narrows that; `test` is accepted and means nothing.',
    query: BoardInput.extend({ test: z.string().max(100).optional() }),
    reply: z.object({
      tickets: z.array(Ticket),
      hasMore: z.boolean(),
      /** No further than 10,000. */
      count: z.int(),
      hits: z.array(TicketHit).optional(),
    }),
  }),
  move: route('POST', '/ticketkanban', {
    needs: 'session',
    summary:
      'Moves cards to a lane, or with null to the first: all of them or none. Tags that are no lanes stay.',
    body: z.object({ ticketIds: z.array(id).min(1).max(MOVED_AT_MOST), tagId: id.nullable() }),
    reply: z.object({ tickets: z.array(Ticket) }),
  }),
}
