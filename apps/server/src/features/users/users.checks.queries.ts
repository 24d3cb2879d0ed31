import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { limitsOf } from '../companies/companies.queries.ts'
import { holdAuthorization } from '../permissions/permissions.queries.ts'
import { holdQueues } from '../queues/queues.queries.ts'
import { countUsers, hasAdministrator, holdConnection } from './users.queries.ts'
import type { UserChanges } from './users.rules.ts'

/**
 * Refuses with ERR_LAST_ADMIN when a change in this transaction left no user who can grant permissions, besides the one who is
 * about to leave. The caller holds the lock of the administration.
 */
export async function refuseWithoutAdmin(tx: Tx, field: string, besides?: number) {
  if (!(await hasAdministrator(tx, besides))) refuse('ERR_LAST_ADMIN', { field })
}

/**
 * Checks that ids of a client belong to the company, and locks the rows: a concurrent deletion waits, and is then applied
 * to this user too.
 */
export async function userIdsInCompany(tx: Tx, { userAuthorizationId, whatsappId, queueIds }: UserChanges) {
  if (userAuthorizationId) await holdAuthorization(tx, userAuthorizationId, 'userAuthorizationId')
  if (whatsappId && !(await holdConnection(tx, whatsappId)))
    refuse('ERR_NO_WAPP_FOUND', { field: 'whatsappId' })
  if (queueIds) await holdQueues(tx, queueIds)
}

/**
 * Refuses with ERR_NO_COMPANY_PLAN, ERR_NO_LIMIT_USER unless the plan has a seat beside users and reserved seats. Locks the
 * plan: concurrent checks wait.
 */
export async function refuseWithoutSeat(tx: Tx, reserved: () => Promise<number> = async () => 0) {
  const limits = (await limitsOf(tx.sql, tx.companyId)) ?? refuse('ERR_NO_COMPANY_PLAN')
  if ((await countUsers(tx)) + (await reserved()) >= limits.users) refuse('ERR_NO_LIMIT_USER')
}
