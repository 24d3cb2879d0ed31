import type { Scope, Tx } from '../../platform/scope.ts'
import type { Place } from './tickets.events.ts'
import { ticketHistory } from './tickets.table.ts'

export type History = typeof ticketHistory.$inferInsert.what

/** Writes down who moved a ticket from where to where; what the time reports will read. */
export const writeHistory = (tx: Tx, ticketId: number, what: History, from: Place | null, to: Place) =>
  tx.sql.insert(ticketHistory).values({
    companyId: tx.companyId,
    ticketId,
    what,
    byUserId: tx.viewer?.id ?? null,
    fromStatus: from?.status ?? null,
    fromUserId: from?.userId ?? null,
    fromQueueId: from?.queueId ?? null,
    toStatus: to.status,
    toUserId: to.userId,
    toQueueId: to.queueId,
  })

/** Who acts, as the colleagues know him; null when it is the house itself. */
export const actorOf = ({ viewer }: Scope) => viewer && { id: viewer.id, name: viewer.name }
