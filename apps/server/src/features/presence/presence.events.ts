import type { TicketDoing } from '@balcao/contract/presence.ts'
import type { TicketState } from '../tickets/tickets.events.ts'

/** Signal between processes: what their screens reported within a second. */
export const REPORTS_TOPIC = 'presence.reports'
/** Signal: the readers of a ticket are others by now; without a state it is gone. */
export const MOVED_TOPIC = 'presence.moved'

export interface Report {
  companyId: number
  screen: string
  /** Null: it shows no ticket any more. */
  at: { ticketId: number; user: { id: number; name: string }; doing: TicketDoing; state: TicketState } | null
}

export interface ReportsNotice {
  from: string
  reports: Report[]
}

export interface MovedNotice {
  companyId: number
  ticketId: number
  state: TicketState | null
}
