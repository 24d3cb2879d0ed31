import type { TicketDoing, TicketPresence } from '@balcao/contract/presence.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { ReportTools } from '../../platform/live/live.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { livePresence } from './presence.worker.ts'

interface Where {
  /** Whatever reports: a socket, or a program in the name of a user. */
  screen: string
  ticketId: number
  doing: TicketDoing
}

/** Shows colleagues what a screen does with a ticket. False where its user may not read the ticket: then it is nowhere. */
export async function beAt(scope: Scope, tools: ReportTools, where: Where): Promise<boolean> {
  const { screen, ticketId, doing } = where
  const { companyId } = scope
  const { id, name } = viewerOf(scope)
  const presence = livePresence(tools)
  const state = await presence.stateOf(scope, ticketId)
  const isReader = state !== null && canRead(viewerOf(scope), state)
  const at = isReader ? { ticketId, user: { id, name }, doing, state } : null
  presence.report({ companyId, screen, at })
  return isReader
}

/** The same for a program, which is in several tickets at once. Refuses with ERR_NO_TICKET_FOUND. */
export async function reportPresence(
  scope: Scope,
  tools: ReportTools,
  { ticketId, doing }: Omit<Where, 'screen'>,
): Promise<TicketPresence> {
  const screen = `user ${viewerOf(scope).id} ${ticketId}`
  if (!(await beAt(scope, tools, { screen, ticketId, doing }))) return refuse('ERR_NO_TICKET_FOUND')
  return livePresence(tools).of(scope.companyId, ticketId)
}
