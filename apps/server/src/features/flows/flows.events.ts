import type { FlowRun, flowChannel } from '@balcao/contract/flows.ts'
import type { Push } from '@balcao/contract/kit.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { event } from '../../platform/events.ts'

export const flowChanged = event<Push<typeof flowChannel>>('flow.changed')

/** A flow started on a ticket; null: none runs any more. */
export const flowRunChanged = event<{ ticket: Ticket; run: FlowRun | null }>('flow.run')
