import { TicketStatus } from '@balcao/contract/tickets.ts'
import type { Join, Room } from '../../platform/live.ts'
import { findTicket } from './tickets.queries.ts'

/**
 * The rooms the documents let a client ask for. Who hears of a ticket is decided by tickets.live alone; these
 * say what a screen is looking at.
 */
export const joins: Join[] = [
  { emitted: 'joinNotification', room: async tx => room(tx.companyId, 'notification') },
  {
    emitted: 'joinTickets',
    room: async (tx, asked) => {
      const status = TicketStatus.safeParse(asked)
      return status.success ? room(tx.companyId, `status:${status.data}`) : null
    },
  },
  {
    emitted: 'joinChatBox',
    room: async (tx, asked) => {
      const ticket = await findTicket(tx, Number(asked) || 0)
      return room(tx.companyId, `ticket:${ticket.id}`)
    },
  },
]

const room = (companyId: number, name: string): Room => `company:${companyId}:${name}`
