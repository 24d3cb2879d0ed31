import { id } from '@balcao/contract/kit.ts'
import { FOLLOW_PRESENCE, Followed, PRESENT, Present, presenceChannel } from '@balcao/contract/presence.ts'
import { publish, reports } from '../../platform/live/live.ts'
import { type TicketState, ticketChanged, ticketRemoved, ticketState } from '../tickets/tickets.events.ts'
import { beAt } from './presence.actions.ts'
import { MOVED_TOPIC, type MovedNotice } from './presence.events.ts'
import { livePresence } from './presence.worker.ts'

export const live = [
  reports({
    opened(screen, tools) {
      const { push } = screen
      livePresence(tools).open(screen, presence => push(presenceChannel, presence))
    },
    closed: (screen, tools) => livePresence(tools).close(screen),
    events: {
      async [PRESENT](screen, reported, tools) {
        const { success, data } = Present.safeParse(reported)
        if (!success) return
        if (data) await beAt(screen.scope(), tools, { screen: screen.id, ...data })
        else livePresence(tools).report({ companyId: screen.companyId, screen: screen.id, at: null })
      },
      [FOLLOW_PRESENCE](screen, reported, tools) {
        const { success, data } = Followed.safeParse(reported)
        if (success) livePresence(tools).follow(screen, data)
      },
      // of programs that speak the documents' protocol alone: what they open they look at
      async joinChatBox(screen, reported, tools) {
        const { success, data: ticketId } = id.safeParse(reported)
        if (success && !livePresence(tools).follows(screen))
          await beAt(screen.scope(), tools, { screen: screen.id, ticketId, doing: 'looking' })
      },
    },
  }),
  publish(ticketChanged, (companyId, { ticket, before }, _push, { signals }) => {
    if (!before || isSame(ticket, before)) return
    const state = { ...ticketState(ticket), ownerId: ticket.contact.ownerId }
    const notice: MovedNotice = { companyId, ticketId: ticket.id, state }
    signals.notify(MOVED_TOPIC, notice)
  }),
  publish(ticketRemoved, (companyId, { ticketId }, _push, { signals }) => {
    const notice: MovedNotice = { companyId, ticketId, state: null }
    signals.notify(MOVED_TOPIC, notice)
  }),
]

const isSame = (a: TicketState, b: TicketState) =>
  a.status === b.status && a.queueId === b.queueId && a.userId === b.userId
