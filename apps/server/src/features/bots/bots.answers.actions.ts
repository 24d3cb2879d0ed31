import { filledBy, logicOf } from '@balcao/contract/bots.logic.rules.ts'
import { readJson } from '@balcao/contract/kit.ts'
import type { Tx } from '../../platform/scope.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { wasAskedSince } from './bots.calls.queries.ts'
import { scriptCommandsOf } from './bots.commands.queries.ts'
import { runTurn } from './bots.turn.actions.ts'
import { lockSession, readBotOn, readSuspended } from './bots.turn.queries.ts'

interface Waiting {
  callId: string
  ticketId: number
  botSetupId: number
  commandId: number
}

/**
 * Another system answered a conversation that waits for it, or did not (null). The caller holds the ticket's row locked. Nothing
 * happens where the conversation went on or asked again meanwhile: it may be within a burst. Of a suspended company, and of a
 * bot that was switched off, the time of the call ends.
 */
export async function hearAnswer(
  tx: Tx,
  { callId, ticketId, botSetupId, commandId }: Waiting,
  cause: string,
  answer: string | null,
): Promise<void> {
  const ticket = await loadTicket(tx, ticketId)
  const session = await lockSession(tx, ticketId)
  if (!ticket || session?.botSetupId !== botSetupId) return
  const { mode, commandId: at } = session.state
  if (mode !== 'calling' || at !== commandId || (await wasAskedSince(tx, callId))) return
  const isOn = ticket.whatsappId !== null && (await readBotOn(tx, ticket.whatsappId)) === botSetupId
  if (!isOn || (await readSuspended(tx))) return
  const command = (await scriptCommandsOf(tx, botSetupId)).find(({ id }) => id === commandId)
  const logic = logicOf({ logic: command?.logic ?? null })
  const read = answer === null ? null : readJson(answer)
  const isOk = answer !== null && (logic.fills.length === 0 || (typeof read === 'object' && read !== null))
  await runTurn(tx, ticket, session, cause, {
    kind: 'called',
    ...{ commandId, isOk, filled: isOk ? filledBy(logic, read) : {} },
  })
}
