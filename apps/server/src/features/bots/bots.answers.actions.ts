import { filledBy, logicOf } from '@balcao/contract/bots.logic.rules.ts'
import { readJson } from '@balcao/contract/kit.ts'
import type { Tx } from '../../platform/scope.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { scriptCommandsOf } from './bots.commands.queries.ts'
import { runTurn } from './bots.turn.actions.ts'
import { lockSession } from './bots.turn.queries.ts'

interface Waiting {
  ticketId: number
  botSetupId: number
  commandId: number
}

/** Another system answered a conversation that waits for it, or did not (null). The caller holds the ticket's row locked. */
export async function hearAnswer(
  tx: Tx,
  { ticketId, botSetupId, commandId }: Waiting,
  cause: string,
  answer: string | null,
): Promise<void> {
  const ticket = await loadTicket(tx, ticketId)
  const session = await lockSession(tx, ticketId)
  if (!ticket || session?.botSetupId !== botSetupId) return
  const command = (await scriptCommandsOf(tx, botSetupId)).find(({ id }) => id === commandId)
  const logic = logicOf({ logic: command?.logic ?? null })
  const read = answer === null ? null : readJson(answer)
  const isOk = answer !== null && (logic.fills.length === 0 || (typeof read === 'object' && read !== null))
  await runTurn(tx, ticket, session, cause, {
    kind: 'called',
    ...{ commandId, isOk, filled: isOk ? filledBy(logic, read) : {} },
  })
}
