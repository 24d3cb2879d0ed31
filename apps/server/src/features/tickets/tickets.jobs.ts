import { chore, inRounds } from '../../platform/work/jobs.ts'
import { closeIdle, idleSince } from './moves/closing.actions.ts'
import { selectIdle } from './moves/closing.queries.ts'

/**
 * Closes open tickets without activity for the configured hours (OP-57). A transfer or a reopening is activity: a message
 * of the attendant usually follows. Without configured hours no ticket is closed.
 */
export const closeIdleTickets = chore(
  'tickets.closeIdle',
  '*/5 * * * *',
  async (scopes, { hoursCloseTicketsAuto: hours }) => {
    if (!hours) return
    const since = idleSince(hours)
    const platformScope = scopes.platform()
    const idle = await platformScope.transaction(sql => selectIdle(sql, since))
    const ofCompanies = [...Map.groupBy(idle, ({ companyId }) => companyId).values()]
    const closeNext = async (ofOne: typeof idle) => {
      const { companyId, id } = ofOne.shift()!
      await closeIdle(platformScope.inCompany(companyId), id, since)
      return ofOne.length > 0
    }
    await inRounds(ofCompanies, closeNext, 'to close the idle tickets of a company')
  },
)

export const jobs = [closeIdleTickets]
