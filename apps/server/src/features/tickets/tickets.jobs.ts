import { chore } from '../../platform/jobs.ts'
import { closeIdle } from './tickets.actions.ts'
import { idle, quietSince } from './tickets.idle.ts'

/**
 * Open tickets in which nothing was said for the configured hours are closed (OP-57). Being handed over or opened
 * again counts as something said: whoever just took a ticket up is about to write. No hours, or none of them: never.
 */
export const closeIdleTickets = chore(
  'tickets.closeIdle',
  '*/5 * * * *',
  async (scopes, { hoursCloseTicketsAuto: hours }) => {
    if (!hours) return
    const since = quietSince(hours)
    const platformScope = scopes.platform()
    for (const { companyId, id } of await platformScope.transaction(sql => idle(sql, since)))
      await closeIdle(platformScope.inCompany(companyId), id, since)
  },
)

export const chores = [closeIdleTickets]
