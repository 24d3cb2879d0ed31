import type { Ticket } from '@balcao/contract/tickets.ts'
import { event } from '../../../platform/events.ts'

/** A user marked a ticket; it is as that user may read it, with the marks. */
export const ticketMarked = event<{ userId: number; ticket: Ticket }>('ticket.marked')

/** A ticket that a user had marked is deleted. */
export const markRemoved = event<{ userId: number; ticketId: number }>('mark.removed')

/** Something is new for a follower of a ticket, or is no longer. */
export const newsChanged = event<{ userId: number; ticketId: number }>('mark.news')
