import { store, useStore } from '../../platform/store.ts'

/** The rows of the list that are chosen together; null while none are and a click opens a ticket. */
export const picked = store<ReadonlySet<number> | null>(null)

export const usePicked = (ticketId: number) => useStore(picked, now => now?.has(ticketId) ?? false)
