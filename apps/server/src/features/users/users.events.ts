import type { User } from '@balcao/contract/users.ts'
import { event } from '../../platform/events.ts'

/** A user was added, or is another than before: its record, its queues, its group. */
export const userChanged = event<{ user: User; created: boolean }>('user.changed')

/** Asked inside the transaction: a new password ends every session but the one that set it. */
export const passwordChanged = event<{ userId: number; keptSession: string | null }>('user.password')

/** Asked inside the transaction that removes a user: its tickets go back to those who wait. */
export const userLeaving = event<{ userId: number }>('user.leaving')
export const userRemoved = event<{ userId: number }>('user.removed')

/** Asked inside the transaction that adds a user: a company without a connection gets its first (OP-71). */
export const connectionNeeded = event<Record<never, never>>('user.connectionNeeded')
