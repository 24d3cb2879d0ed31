import type { User } from '@balcao/contract/users.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { limitsOf } from '../companies/companies.queries.ts'
import { selectQueues } from '../queues/queues.queries.ts'
import { userChanged } from './users.events.ts'
import { countUsers, findUser, holdConnection } from './users.queries.ts'
import { userQueues, users } from './users.table.ts'

/**
 * The plan has room for one more beside the users there are and the seats that were promised. Until this transaction
 * ends no other asks. Refuses with ERR_NO_COMPANY_PLAN, ERR_NO_LIMIT_USER.
 */
export async function refuseWithoutSeat(tx: Tx, promised: () => Promise<number> = async () => 0) {
  const limits = (await limitsOf(tx.sql, tx.companyId)) ?? refuse('ERR_NO_COMPANY_PLAN')
  if ((await countUsers(tx)) + (await promised()) >= limits.users) refuse('ERR_NO_LIMIT_USER')
}

export interface InvitedUser {
  name: string
  email: string
  passwordHash: string
  profile: 'admin' | 'user'
  userAuthorizationId: number | null
  whatsappId: number | null
  queueIds: number[]
}

/**
 * Adds who was invited, within the plan. What he was to get and is gone meanwhile falls to the defaults, as it does
 * for users (OP-70). Refuses with ERR_NO_COMPANY_PLAN, ERR_NO_LIMIT_USER, ERR_EMAIL_EXISTS.
 */
export async function addInvitedUser(tx: Tx, { queueIds, ...invited }: InvitedUser): Promise<User> {
  await refuseWithoutSeat(tx)
  const { whatsappId } = invited
  const isThere = whatsappId !== null && (await holdConnection(tx, whatsappId))
  const row = { ...invited, companyId: tx.companyId, whatsappId: isThere ? whatsappId : null }
  const id = await insert(tx, row)
  const known = new Set((await selectQueues(tx)).map(queue => queue.id))
  await setQueues(
    tx,
    id,
    queueIds.filter(queueId => known.has(queueId)),
  )
  const user = await findUser(tx.sql, tx.companyId, id)
  tx.emit(userChanged, { user, created: true })
  return user
}

async function insert(tx: Tx, row: typeof users.$inferInsert): Promise<number> {
  try {
    const [added] = await tx.sql.insert(users).values(row).returning({ id: users.id })
    return added!.id
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  }
}

export async function setQueues(tx: Tx, userId: number, queueIds: number[]) {
  await tx.sql
    .delete(userQueues)
    .where(and(eq(userQueues.companyId, tx.companyId), eq(userQueues.userId, userId)))
  const rows = [...new Set(queueIds)].map(queueId => ({ companyId: tx.companyId, userId, queueId }))
  if (rows.length > 0) await tx.sql.insert(userQueues).values(rows)
}
