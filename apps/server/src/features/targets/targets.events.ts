import type { MissedTarget } from '@balcao/contract/targets.ts'
import { event } from '../../platform/events.ts'
import type { TicketState } from '../tickets/tickets.events.ts'

/** A target was missed, announced once: also inside its transaction. `state`: who may see its ticket. */
export const targetMissed = event<{ missed: MissedTarget; state: TicketState }>('target.missed')
