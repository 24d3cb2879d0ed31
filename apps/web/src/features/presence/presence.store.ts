import type { TicketPresence } from '@balcao/contract/presence.ts'
import { ownStore } from '../../platform/person.ts'

/** Colleagues by the ticket in which they are; without the user of this screen. */
export const here = ownStore<ReadonlyMap<number, TicketPresence['users']>>(new Map())
