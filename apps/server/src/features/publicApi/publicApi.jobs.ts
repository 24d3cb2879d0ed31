import { Refusal } from '../../platform/errors.ts'
import type { Scope } from '../../platform/scope.ts'
import { type RowTools, workOff } from '../../platform/work/due-rows.ts'
import { chore } from '../../platform/work/jobs.ts'
import { remove } from '../tickets/tickets.actions.ts'
import { destroyable, forgetSends, isUntouched, keepAcks, keepTicket } from './publicApi.queries.ts'

const AT_ONCE = 100

/** Tickets that were made for one call go once its messages have left; one that was answered, or failed, stays. */
export const destroyTickets = (tools: RowTools): Promise<boolean> =>
  workOff(tools, {
    name: 'publicApi.destroy',
    atOnce: AT_ONCE,
    find: destroyable,
    run: (scope, { id, ticketId }) => destroy(scope, id, ticketId),
  })

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

export const jobs = [
  chore('publicApi.forgetSends', '20 3 * * *', async scopes => {
    await scopes.platform().transaction(sql => forgetSends(sql))
  }),
]
