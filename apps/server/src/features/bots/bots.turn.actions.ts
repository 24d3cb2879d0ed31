import { askedBy } from '@balcao/contract/bots.logic.rules.ts'
import { type BotEvent, minutesAwaited, newBotState, step } from '@balcao/contract/bots.rules.ts'
import type { BotSession, BotState } from '@balcao/contract/bots.talk.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { readAccountStatus } from '../companies/companies.status.queries.ts'
import { categoriesOfContact } from '../contacts/contacts.categories.queries.ts'
import type { ReceivedMessage } from '../messages/messages.events.ts'
import { placeholders } from '../messages/outbox/greetings.actions.ts'
import { withdrawWaiting } from '../messages/outbox/withdraw.actions.ts'
import { returnToQueue, writeHistory } from '../tickets/moves/moves.actions.ts'
import { markWithBot } from '../tickets/tickets.actions.ts'
import type { TicketState } from '../tickets/tickets.events.ts'
import { findReadable, findTicket, loadTicket, lockTicket } from '../tickets/tickets.queries.ts'
import { perform } from './bots.acts.actions.ts'
import { botTurned } from './bots.events.ts'
import {
  type BotSessionState,
  botOn,
  findSession,
  keepSession,
  lockSession,
  readBotOn,
  readOwnNumbers,
  readScript,
  readSuspended,
} from './bots.turn.queries.ts'

/** Older messages, of a phone that was off, get no answer. */
const STALE_MS = 60 * 60_000

/**
 * The bot's turn after a message of a customer, in the commit that inserts the message. Returns true where a bot is switched on,
 * also while it sends nothing or the company is suspended: then nothing else greets.
 */
export async function answerCustomer(tx: Tx, { ticket, message, isNew }: ReceivedMessage): Promise<boolean> {
  if (ticket.isGroup || ticket.whatsappId === null) return false
  const botSetupId = await readBotOn(tx, ticket.whatsappId)
  const isStale = Date.now() - Date.parse(message.createdAt) > STALE_MS
  // it gets no answer of a bot: somebody of the company has to look
  if (botSetupId === null || isStale) await markWithBot(tx, ticket, false)
  if (botSetupId === null) return false
  if (isStale || (await readSuspended(tx))) return true
  const session = await lockSession(tx, ticket.id)
  if (!session && !isNew) return true
  if ((await readOwnNumbers(tx)).has(ticket.contact.number)) return true
  const { body: text, mediaType } = message
  await runTurn(
    tx,
    ticket,
    sessionFor(session, botSetupId),
    message.id,
    { kind: 'wrote', text, mediaType, messageId: message.id, isNew },
    message,
  )
  return true
}

/** The customer chose nothing in time. False when the conversation went on meanwhile. */
export const endWait = (scope: Scope, ticketId: number): Promise<boolean> =>
  scope.transaction(async tx => {
    if (!(await lockTicket(tx, ticketId))) return false
    const session = await lockSession(tx, ticketId)
    if (!session?.dueAt || Date.parse(session.dueAt) > Date.now()) return false
    const ticket = (await loadTicket(tx, ticketId))!
    await runTurn(tx, ticket, session, `${ticketId} ${session.dueAt}`, { kind: 'waited' })
    return true
  })

/**
 * Returns a conversation to the bot of its connection, which continues where it was. Refuses with ERR_NO_TICKET_FOUND,
 * ERR_TICKET_NOT_OPEN for a closed ticket, ERR_COMPANY_SUSPENDED, and ERR_NO_BOT for a connection without a bot.
 */
export const returnToBot = (scope: Scope, ticketId: number): Promise<Ticket> =>
  scope.transaction(async tx => {
    const { status, whatsappId, isGroup } = await findTicket(tx, ticketId)
    const botSetupId = whatsappId === null || isGroup ? null : await botOn(tx, whatsappId)
    if (botSetupId === null) return refuse('ERR_NO_BOT')
    if (status === 'closed') refuse('ERR_TICKET_NOT_OPEN')
    await readAccountStatus(tx)
    await returnToQueue(tx, ticketId)
    const ticket = (await loadTicket(tx, ticketId))!
    await writeHistory(tx, ticketId, 'botReturned', ticket, ticket)
    const session = await lockSession(tx, ticketId)
    await runTurn(tx, ticket, sessionFor(session, botSetupId), `${ticketId} ${ticket.version}`, {
      kind: 'given',
    })
    return (await loadTicket(tx, ticketId))!
  })

/** A user wrote or moved the ticket: withdraws the bot's waiting messages; it sends no more. */
export async function stepBack(tx: Tx, ticketId: number): Promise<void> {
  const session = await lockSession(tx, ticketId)
  if (!session) return
  await withdrawWaiting(tx, ticketId, 'bot')
  if (session.state.mode === 'over' || session.state.mode === 'stopped') return
  await runTurn(tx, (await loadTicket(tx, ticketId))!, session, '', { kind: 'taken' })
}

/** The ticket was moved by a user, which stops the bot, or automatically, by a model for example. */
export async function followMove(tx: Tx, ticket: Ticket, before: TicketState): Promise<void> {
  if (tx.viewer !== null) await stepBack(tx, ticket.id)
  if (tx.viewer !== null && ticket.status !== 'closed') return
  const session = await lockSession(tx, ticket.id)
  const mode = ticket.status === 'closed' ? 'over' : 'handed'
  const isMoved = ticket.status !== 'pending' || ticket.queueId !== before.queueId
  if (!session || !isMoved) return
  const isSame = session.state.mode === 'over' || session.state.mode === mode
  // a closing counts anew: `reopenBotAfterHours` begins with it
  if (isSame && mode !== 'over') return
  const state = { ...session.state, mode, silentSince: Date.now() } as const
  await keep(tx, ticket, { ...session, state, dueAt: null })
  publishSession(tx, ticket, state)
}

/** The model's dialog is over: the conversation is escalated, unless the customer asks for the menu. */
export async function escalateToPeople(tx: Tx, ticketId: number): Promise<void> {
  const session = await lockSession(tx, ticketId)
  if (session?.state.mode !== 'prompt') return
  const state = { ...session.state, mode: 'handed', silentSince: Date.now() } as const
  const ticket = (await loadTicket(tx, ticketId))!
  await keep(tx, ticket, { ...session, state, dueAt: null })
  publishSession(tx, ticket, state)
}

const LEADING = new Set<BotState['mode']>(['menu', 'question', 'prompt', 'calling'])

/** Stores the session, and on the ticket whether the bot leads it. */
async function keep(tx: Tx, ticket: Pick<Ticket, 'id' | 'withBot'>, session: BotSessionState) {
  await keepSession(tx, ticket.id, session)
  await markWithBot(tx, ticket, LEADING.has(session.state.mode))
}

type Trigger = BotEvent extends infer E
  ? E extends BotEvent
    ? Omit<E, 'at' | 'ticket' | 'values'>
    : never
  : never

/** One turn. The state is kept first, so that the listeners of its acts see it. */
export async function runTurn(
  tx: Tx,
  ticket: Ticket,
  session: BotSessionState,
  cause: string,
  trigger: Trigger,
  message: Message | null = null,
) {
  const { script, setup } = await readScript(tx, session.botSetupId, ticket.whatsappId)
  const now = Date.now()
  const categoryIds = askedBy(script.commands).categories
    ? await categoriesOfContact(tx, ticket.contactId)
    : []
  const values = await placeholders(tx, ticket, null)
  const event = { ...trigger, at: now, ticket: { ...ticket, categoryIds }, values } as BotEvent
  const { state, does } = step(script, session.state, event)
  const minutes = minutesAwaited(script, state, ticket, setup.timeWithoutQueue)
  const dueAt = minutes === null ? null : new Date(now + minutes * 60_000).toISOString()
  await keep(tx, ticket, { botSetupId: session.botSetupId, state, dueAt })
  await perform(tx, { ticket, setup, script, cause, message, now, state }, does)
  publishSession(tx, ticket, state)
}

/** A session of another bot starts at the beginning of this one. */
function sessionFor(session: BotSessionState | null, botSetupId: number): BotSessionState {
  if (!session) return { botSetupId, state: newBotState(), dueAt: null }
  if (session.botSetupId === botSetupId) return session
  return { ...session, botSetupId, state: { ...session.state, commandId: null, number: '' } }
}

/** The bot's session of a ticket; null when no bot ever answered in it. Refuses with ERR_NO_TICKET_FOUND, ERR_NO_PERMISSION. */
export async function botSessionOf(tx: Tx, ticketId: number): Promise<{ session: BotSession | null }> {
  const ticket = await findReadable(tx, ticketId)
  const session = await findSession(tx, ticket.id)
  return { session: session && viewOf(session.state) }
}

/** Publishes the session to those who may read the ticket. */
const publishSession = (tx: Tx, ticket: Ticket, state: BotState): void =>
  tx.emit(botTurned, { ticket, session: viewOf(state) })

const viewOf = ({ mode, number, variables, answers, silentSince }: BotState): BotSession => ({
  mode,
  number,
  variables,
  answers: answers.map(({ commandId: _command, ...answer }) => answer),
  silentSince: silentSince === null ? null : new Date(silentSince).toISOString(),
})
