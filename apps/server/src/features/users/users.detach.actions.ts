import type { User } from '@balcao/contract/users.ts'
import type { Tx } from '../../platform/scope.ts'
import { userChanged } from './users.events.ts'
import { clearReference, removeQueueFromUsers, usersWhere, usersWith } from './users.queries.ts'

/** Users of a deleted group have the permissions without a group (OP-70). */
export const detachAuthorizationFromUsers = async (tx: Tx, userAuthorizationId: number) =>
  publishUsers(tx, await clearReference(tx, { userAuthorizationId }))

/** Users of a deleted connection open tickets on the default one. */
export const detachConnectionFromUsers = async (tx: Tx, whatsappId: number) =>
  publishUsers(tx, await clearReference(tx, { whatsappId }))

/** Users lose a deleted queue. The foreign key would do it without publishing them. */
export const detachQueueFromUsers = async (tx: Tx, queueId: number) =>
  publishUsers(tx, await removeQueueFromUsers(tx, queueId))

export const notifyOfConnection = (tx: Tx, whatsappId: number) => notifyOf(tx, { whatsappId })

/** Publishes users whose group, connection, queue or company changed; all of the company without a reference. */
export const notifyOf = async (tx: Tx, reference?: Parameters<typeof usersWith>[1]) =>
  publishUsers(tx, reference ? await usersWith(tx, reference) : await usersWhere(tx))

function publishUsers(tx: Tx, users: User[]) {
  for (const user of users) tx.emit(userChanged, { user, created: false })
}
