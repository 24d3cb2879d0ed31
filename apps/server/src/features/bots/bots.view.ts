import type { BotSession, BotState } from '@balcao/contract/bots.talk.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { Tx } from '../../platform/scope.ts'
import { findReadable } from '../tickets/tickets.queries.ts'
import { botTurned } from './bots.events.ts'
import { findSession } from './bots.sessions.ts'

/** What the bot of a ticket knows; null when none ever spoke in it. Refuses with ERR_NO_TICKET_FOUND, ERR_NO_PERMISSION. */
export async function botSessionOf(tx: Tx, ticketId: number): Promise<{ session: BotSession | null }> {
  const ticket = await findReadable(tx, ticketId)
  const session = await findSession(tx, ticket.id)
  return { session: session && viewOf(session.state) }
}

/** Those who may read the ticket hear where its bot stands now. */
export const tellSession = (tx: Tx, ticket: Ticket, state: BotState): void =>
  tx.emit(botTurned, { ticket, session: viewOf(state) })

const viewOf = ({ mode, number, answers, silentSince }: BotState): BotSession => ({
  mode,
  number,
  answers: answers.map(({ number: of, question, text }) => ({ number: of, question, text })),
  silentSince: silentSince === null ? null : new Date(silentSince).toISOString(),
})
