import { id } from '@balcao/contract/kit.ts'
import { TicketStatus } from '@balcao/contract/tickets.ts'
import type { Join, Room } from '../../platform/live.ts'
import { findReadable } from './tickets.queries.ts'

/**
 * The rooms the documents let a client ask for. Who hears of a ticket is decided by tickets.live alone; these
 * say what a screen is looking at.
 */
export const joins: Join[] = [
  { emitted: 'joinNotification', room: scope => room(scope.companyId, 'notification') },
  {
    emitted: 'joinTickets',
    room: (scope, asked) => {
      const status = TicketStatus.safeParse(asked)
      return status.success ? room(scope.companyId, `status:${status.data}`) : null
    },
  },
  {
    emitted: 'joinChatBox',
    room: async (scope, asked) => {
      const wanted = id.safeParse(asked)
      if (!wanted.success) return null
      const ticket = await scope.read(tx => findReadable(tx, wanted.data))
      return room(scope.companyId, `ticket:${ticket.id}`)
    },
  },
]

const room = (companyId: number, name: string): Room => `company:${companyId}:${name}`
