import type { DueTools } from '../../platform/due.ts'
import { Refusal } from '../../platform/errors.ts'
import { chore } from '../../platform/jobs.ts'
import type { Scope } from '../../platform/scope.ts'
import { remove } from '../tickets/tickets.actions.ts'
import { destroyable, forgetSends, isUntouched, keepAcks, keepTicket } from './publicApi.queries.ts'

const AT_ONCE = 100

/** Tickets that were made for one call go once its messages have left; one that was answered, or failed, stays. */
export async function destroyTickets({ scopes, stopping }: DueTools): Promise<boolean> {
  const due = await scopes.platform().transaction(sql => destroyable(sql, AT_ONCE))
  for (const { companyId, id, ticketId } of due) {
    if (stopping()) return false
    await destroy(scopes.inCompany(companyId), id, ticketId!)
  }
  return due.length === AT_ONCE
}

const destroy = (scope: Scope, id: string, ticketId: number): Promise<void> =>
  scope.transaction(async tx => {
    if (await isUntouched(tx, ticketId)) {
      await keepAcks(tx, ticketId)
      await remove(tx, ticketId).catch(unlessGone)
    }
    await keepTicket(tx, id)
  })

function unlessGone(error: unknown) {
  if (!(error instanceof Refusal && error.code === 'ERR_NO_TICKET_FOUND')) throw error
}

export const chores = [
  chore('publicApi.forgetSends', '20 3 * * *', async scopes => {
    await scopes.platform().transaction(sql => forgetSends(sql))
  }),
]
