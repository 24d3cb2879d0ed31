import { awaitsChoice, type BotEvent, newBotState, step } from '@balcao/contract/bots.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { askStanding } from '../companies/companies.standing.ts'
import { placeholders } from '../messages/messages.greetings.ts'
import { withdrawWaiting } from '../messages/messages.withdraw.ts'
import { returnToQueue } from '../tickets/tickets.actions.ts'
import type { TicketStanding } from '../tickets/tickets.events.ts'
import { writeHistory } from '../tickets/tickets.history.ts'
import { findTicket, loadTicket, lockTicket } from '../tickets/tickets.queries.ts'
import { perform } from './bots.deeds.ts'
import { readOwnNumbers, readScript, readSpeaker, readSuspended } from './bots.reading.ts'
import { type BotStanding, keepSession, lockSession, speakerOn } from './bots.sessions.ts'
import { tellSession } from './bots.view.ts'

/** Whoever wrote longer ago (the phone was off) is not answered as if he stood there. */
const STALE_MS = 60 * 60_000

/**
 * The bot's turn after a customer wrote, within the commit that writes that down: its new state, what it says and what it
 * does stand with the message or not at all. Where a bot is switched on nobody else greets, also while it is silent, as
 * that of a company is which is suspended.
 */
export async function answerCustomer(
  tx: Tx,
  {
    ticket,
    message,
    isNew,
    answers,
  }: { ticket: Ticket; message: Message; isNew: boolean; answers: { by: string | null } },
): Promise<void> {
  if (answers.by || ticket.isGroup || ticket.whatsappId === null) return
  const botSetupId = await readSpeaker(tx, ticket.whatsappId)
  if (botSetupId === null) return
  answers.by = 'bot'
  if (await readSuspended(tx)) return
  if (Date.now() - Date.parse(message.createdAt) > STALE_MS) return
  const session = await lockSession(tx, ticket.id)
  if (!session && !isNew) return
  if ((await readOwnNumbers(tx)).has(ticket.contact.number)) return
  const { body: text, mediaType } = message
  await turn(
    tx,
    ticket,
    at(session, botSetupId),
    message.id,
    { kind: 'wrote', text, mediaType, isNew },
    message,
  )
}

/** Nobody chose in time. False when the conversation went on meanwhile. */
export const endWait = (scope: Scope, ticketId: number): Promise<boolean> =>
  scope.transaction(async tx => {
    if (!(await lockTicket(tx, ticketId))) return false
    const session = await lockSession(tx, ticketId)
    if (!session?.dueAt || Date.parse(session.dueAt) > Date.now()) return false
    const ticket = (await loadTicket(tx, ticketId))!
    await turn(tx, ticket, session, `${ticketId} ${session.dueAt}`, { kind: 'waited' })
    return true
  })

/**
 * Gives a conversation back to the bot of its connection, which goes on where it stood. Refuses with ERR_NO_TICKET_FOUND,
 * ERR_TICKET_NOT_OPEN for a closed ticket, ERR_COMPANY_SUSPENDED, and ERR_NO_BOT where no bot speaks.
 */
export const giveBack = (scope: Scope, ticketId: number): Promise<Ticket> =>
  scope.transaction(async tx => {
    const { status, whatsappId, isGroup } = await findTicket(tx, ticketId)
    const botSetupId = whatsappId === null || isGroup ? null : await speakerOn(tx, whatsappId)
    if (botSetupId === null) return refuse('ERR_NO_BOT')
    if (status === 'closed') refuse('ERR_TICKET_NOT_OPEN')
    await askStanding(tx)
    await returnToQueue(tx, ticketId)
    const ticket = (await loadTicket(tx, ticketId))!
    await writeHistory(tx, ticketId, 'botReturned', ticket, ticket)
    const session = await lockSession(tx, ticketId)
    await turn(tx, ticket, at(session, botSetupId), `${ticketId} ${ticket.version}`, { kind: 'given' })
    return (await loadTicket(tx, ticketId))!
  })

/** A person speaks: what the bot was about to say is taken back, and it is silent from here on. */
export async function stepBack(tx: Tx, ticketId: number): Promise<void> {
  const session = await lockSession(tx, ticketId)
  if (!session) return
  await withdrawWaiting(tx, ticketId, 'bot')
  if (session.state.mode === 'over' || session.state.mode === 'stopped') return
  await turn(tx, (await loadTicket(tx, ticketId))!, session, '', { kind: 'taken' })
}

/** The ticket moved: by a person's hand, so that is whose it is; or by what speaks by itself, a model for one. */
export async function followMove(tx: Tx, ticket: Ticket, before: TicketStanding): Promise<void> {
  if (tx.viewer !== null) return stepBack(tx, ticket.id)
  const session = await lockSession(tx, ticket.id)
  const mode = ticket.status === 'closed' ? 'over' : 'handed'
  const isMoved = ticket.status !== 'pending' || ticket.queueId !== before.queueId
  if (!session || !isMoved || session.state.mode === 'over' || session.state.mode === mode) return
  const state = { ...session.state, mode, silentSince: Date.now() } as const
  await keepSession(tx, ticket.id, { ...session, state, dueAt: null })
  tellSession(tx, ticket, state)
}

/** A model has said its last word in a conversation: what comes next is for people, unless the customer asks for the menu. */
export async function takeOverFrom(tx: Tx, ticketId: number): Promise<void> {
  const session = await lockSession(tx, ticketId)
  if (session?.state.mode !== 'prompt') return
  const state = { ...session.state, mode: 'handed', silentSince: Date.now() } as const
  await keepSession(tx, ticketId, { ...session, state, dueAt: null })
  tellSession(tx, (await loadTicket(tx, ticketId))!, state)
}

type Happening = BotEvent extends infer E
  ? E extends BotEvent
    ? Omit<E, 'at' | 'ticket' | 'values'>
    : never
  : never

/** One turn: what it comes to is written first, so that what it does is known as its own. */
async function turn(
  tx: Tx,
  ticket: Ticket,
  session: BotStanding,
  cause: string,
  happening: Happening,
  message: Message | null = null,
) {
  const { script, setup } = await readScript(tx, session.botSetupId, ticket.whatsappId)
  const now = Date.now()
  const event = { ...happening, at: now, ticket, values: await placeholders(tx, ticket, null) } as BotEvent
  const { state, does } = step(script, session.state, event)
  const waits = awaitsChoice(script, state, ticket)
  const dueAt = waits ? new Date(now + setup.timeWithoutQueue * 60_000).toISOString() : null
  await keepSession(tx, ticket.id, { botSetupId: session.botSetupId, state, dueAt })
  await perform(tx, { ticket, setup, cause, message, now, state }, does)
  tellSession(tx, ticket, state)
}

/** A conversation that another bot began stands at the beginning of this one. */
function at(session: BotStanding | null, botSetupId: number): BotStanding {
  if (!session) return { botSetupId, state: newBotState(), dueAt: null }
  if (session.botSetupId === botSetupId) return session
  return { ...session, botSetupId, state: { ...session.state, commandId: null, number: '' } }
}
