import type { Ticket } from '@balcao/contract/tickets.ts'
import { store } from '../../platform/store.ts'

/** Followed tickets in which something is new for the viewer; written once what follows them is loaded. */
export const followedNews = store<Ticket[]>([])
