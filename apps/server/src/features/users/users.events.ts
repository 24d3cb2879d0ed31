import type { BelongingKind, User } from '@balcao/contract/users.ts'
import { event } from '../../platform/events.ts'

export const userChanged = event<{ user: User; created: boolean }>('user.changed')

/**
 * Inside the transaction: a user's password or e-mail changed, or the user is being deleted. Sessions but the one kept,
 * links and unsent letters are deleted; with `endsSecrets` also what programs call with in the user's name.
 */
export const credentialsChanged = event<{
  userId: number
  keptSession: string | null
  endsSecrets: boolean
}>('user.credentials')

/**
 * Inside the transactions before a user is deleted: whose records of the user may be many takes at most `most` of them, open
 * tickets are pending again, and adds how many it took to `taken`, until none are left.
 */
export const userEmptying = event<{ userId: number; most: number; taken: { rows: number } }>('user.emptying')

/** Inside the transaction that deletes a user: owned records go to the heir, or stop where there is none. */
export const userDeleting = event<{ userId: number; heirId: number | null }>('user.leaving')

/** Collects the owned records of a user by kind: the number and some names. */
export const belongingsAsked = event<{
  userId: number
  found: { kind: BelongingKind; count: number; names: string[] }[]
}>('user.belongings')
export const userRemoved = event<{ userId: number }>('user.removed')

/** Inside the transaction that adds a user: a company without a connection gets its first (OP-71). */
export const connectionNeeded = event<Record<never, never>>('user.connectionNeeded')
