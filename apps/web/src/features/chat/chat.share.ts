import type { Ticket } from '@balcao/contract/tickets.ts'
import { ownStore } from '../../platform/person.ts'

/** The ticket that is about to be shared with colleagues. */
export const shared = ownStore<Ticket | null>(null)
