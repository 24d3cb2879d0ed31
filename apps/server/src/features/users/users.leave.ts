import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, type SQL } from '../../platform/sql.ts'
import { userChanged } from './users.events.ts'
import { selectUsers } from './users.queries.ts'
import { userQueues, users } from './users.table.ts'

/** Users of a group that is about to go fall back to the defaults (OP-70). */
export const detachAuthorizationFromUsers = (tx: Tx, userAuthorizationId: number) =>
  letGo(tx, eq(users.userAuthorizationId, userAuthorizationId), { userAuthorizationId: null })

/** Users of a connection that is about to go start conversations on the default one. */
export const detachConnectionFromUsers = (tx: Tx, whatsappId: number) =>
  letGo(tx, eq(users.whatsappId, whatsappId), { whatsappId: null })

/** Users lose a queue that is about to go. The foreign key would do it too, but nobody would hear of it. */
export async function detachQueueFromUsers(tx: Tx, queueId: number) {
  const left = await tx.sql
    .delete(userQueues)
    .where(and(eq(userQueues.companyId, tx.companyId), eq(userQueues.queueId, queueId)))
    .returning({ id: userQueues.userId })
  await tellOf(tx, among(left))
}

/** Users of a connection that is called something else now. */
export const tellOfConnection = (tx: Tx, whatsappId: number) => tellOf(tx, eq(users.whatsappId, whatsappId))

/** Tells of users, of all of them where nothing is said, whose record shows something else because what it points to has changed. */
export async function tellOf(tx: Tx, where?: SQL) {
  const touched = await selectUsers(tx.sql, and(eq(users.companyId, tx.companyId), where))
  for (const user of touched) tx.emit(userChanged, { user, created: false })
}

async function letGo(tx: Tx, pointing: SQL, freed: Partial<typeof users.$inferInsert>) {
  const left = await tx.sql
    .update(users)
    .set(freed)
    .where(and(eq(users.companyId, tx.companyId), pointing))
    .returning({ id: users.id })
  await tellOf(tx, among(left))
}

const among = (rows: { id: number }[]) =>
  inArray(
    users.id,
    rows.map(({ id }) => id),
  )
