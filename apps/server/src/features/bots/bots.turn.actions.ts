import { askedBy } from '@balcao/contract/bots.logic.rules.ts'
import {
  type BotEvent,
  beginsAnew,
  isDeaf,
  minutesAwaited,
  newBotState,
  step,
} from '@balcao/contract/bots.rules.ts'
import type { BotLine, BotSession, BotState } from '@balcao/contract/bots.talk.ts'
import { tappedCommand } from '@balcao/contract/bots.words.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { idFrom } from '../../platform/ids.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { owesAnswer } from '../botConfigs/botConfigs.dialogs.queries.ts'
import { readAccountStatus } from '../companies/companies.status.queries.ts'
import { categoriesOfContact } from '../contacts/contacts.categories.queries.ts'
import { stopFlow } from '../flows/flows.runs.actions.ts'
import type { BotPollAnswered, ReceivedMessage } from '../messages/messages.events.ts'
import { placeholders, tellHours } from '../messages/outbox/greetings.actions.ts'
import { isBeforeBot, lastAutomaticAt, lastDue } from '../messages/outbox/waiting.queries.ts'
import { withdrawWaiting } from '../messages/outbox/withdraw.actions.ts'
import { returnToQueue, writeHistory } from '../tickets/moves/moves.actions.ts'
import { markWithBot } from '../tickets/tickets.actions.ts'
import type { TicketState } from '../tickets/tickets.events.ts'
import { findReadable, findTicket, loadTicket, lockTicket } from '../tickets/tickets.queries.ts'
import { perform } from './bots.acts.actions.ts'
import { botTurned } from './bots.events.ts'
import { findSetup } from './bots.queries.ts'
import {
  type BotSessionState,
  botOn,
  botOnLookup,
  findSession,
  isAttended,
  keepSession,
  lockSession,
  moveWait,
  readBotOn,
  readOwnNumbers,
  readScript,
  readSuspended,
} from './bots.turn.queries.ts'

/** Older messages, of a phone that was off, get no answer. */
const STALE_MS = 60 * 60_000

/** Bounds of a burst: messages, and time since the first. */
const MOST_LINES = 10
const LONGEST_BURST_MS = 15_000
/** What is kept of a message of a burst. */
const LONGEST_LINE = 4_096

/**
 * Takes a message of a customer, in the commit that inserts it. Messages of one burst are one input: its end is the session's
 * due time. A model's dialog has a delay of its own. Returns true where a bot is switched on, also while it sends nothing or
 * the company is suspended: then nothing else greets.
 */
export async function answerCustomer(tx: Tx, received: ReceivedMessage): Promise<boolean> {
  const { ticket, message } = received
  if (ticket.isGroup || ticket.whatsappId === null || received.isLate) return false
  const botSetupId = botOnLookup.of(received)
  const isStale = databaseNow() - Date.parse(message.createdAt) > STALE_MS
  // it gets no answer of a bot: somebody of the company has to look
  if (botSetupId === null || isStale) await markWithBot(tx, ticket, false)
  if (botSetupId === null) return false
  if (message.mediaType === 'call_log' || ticket.status !== 'pending') return true
  if (isStale || (await readSuspended(tx))) return true
  const known = await lockSession(tx, ticket.id)
  if (!known && !received.isNew && (await isAttended(tx, ticket.id))) {
    await tellHours(tx, ticket, message.createdAt)
    return true
  }
  if ((await readOwnNumbers(tx)).has(ticket.contact.number)) return true
  const session = sessionFor(known, botSetupId)
  await hear(tx, ticket, session, await lineOf(tx, received, session.state))
  return true
}

/** Takes a vote in the bot's poll as the answer that its choice is, where the bot leads the ticket. */
export async function answerVote(tx: Tx, vote: BotPollAnswered): Promise<void> {
  const { ticketId, messageId, tapId, choice, at } = vote
  if (!(await lockTicket(tx, ticketId))) return
  const ticket = (await loadTicket(tx, ticketId))!
  const botSetupId = await botOf(tx, ticket)
  const isStale = databaseNow() - Date.parse(at) > STALE_MS
  if (botSetupId === null || isStale || ticket.status !== 'pending' || (await readSuspended(tx))) return
  const known = await lockSession(tx, ticketId)
  if (!known) return
  const session = sessionFor(known, botSetupId)
  const isLed = session.state.begun && LEADING.has(session.state.mode)
  await hear(tx, ticket, session, {
    messageId: idFrom(`vote:${messageId}:${at}:${tapId}`),
    text: choice,
    mediaType: null,
    choice: tappedCommand(tapId),
    unread: isLed && (await isBeforeBot(tx, ticketId, at)),
    at: databaseNow(),
  })
}

async function lineOf(
  tx: Tx,
  { ticket, message, tapId, writtenAt }: ReceivedMessage,
  { begun, mode }: BotState,
): Promise<BotLine> {
  // of a long conversation with people nothing is searched
  const isLed = begun && LEADING.has(mode)
  return {
    messageId: message.id,
    text: cut(message.body, LONGEST_LINE),
    mediaType: message.mediaType,
    choice: tappedCommand(tapId),
    unread: isLed && (await isBeforeBot(tx, ticket.id, writtenAt ?? message.createdAt)),
    at: databaseNow(),
  }
}

async function hear(tx: Tx, ticket: Ticket, session: BotSessionState, line: BotLine): Promise<void> {
  const { script, setup } = await readScript(tx, session.botSetupId, ticket.whatsappId)
  if (isDeaf(script, session.state, line.text, line.at)) {
    const { mode } = session.state
    if (mode === 'handed' || mode === 'stopped') await tellHours(tx, ticket, new Date(line.at).toISOString())
    return
  }
  // what happens before the end of a burst happens to the conversation that it begins
  const state = beginsAnew(setup, session.state, line.at)
    ? { ...newBotState(), lines: session.state.lines }
    : session.state
  const lines = [...state.lines, line]
  // `#` while another system is asked does not wait: its answer would come first
  const isTalk =
    setup.botType === 'gpt' || (state.begun && (state.mode === 'prompt' || state.mode === 'calling'))
  if (isTalk || setup.burstSeconds === 0 || lines.length >= MOST_LINES)
    return runTurn(tx, ticket, { ...session, state }, lines[0]!.messageId, { kind: 'wrote', lines })
  const end = Math.min(line.at + setup.burstSeconds * 1_000, lines[0]!.at + LONGEST_BURST_MS)
  const waiting = { ...session, state: { ...state, lines }, dueAt: new Date(end).toISOString() }
  await keep(tx, ticket, waiting)
}

/** The burst is over, or the customer chose nothing in time. False when the conversation went on meanwhile. */
export const endWait = (scope: Scope, ticketId: number): Promise<boolean> =>
  scope.transaction(async tx => {
    if (!(await lockTicket(tx, ticketId))) return false
    const kept = await lockSession(tx, ticketId)
    if (!kept?.dueAt || Date.parse(kept.dueAt) > databaseNow()) return false
    const ticket = (await loadTicket(tx, ticketId))!
    const botSetupId = ticket.whatsappId === null ? null : await readBotOn(tx, ticket.whatsappId)
    const { lines } = kept.state
    const isStale = lines.length > 0 && databaseNow() - lines.at(-1)!.at > STALE_MS
    if (botSetupId === null || isStale) {
      await stopWaiting(tx, ticket, kept)
      return true
    }
    const session = sessionFor(kept, botSetupId)
    if (lines.length > 0) await runTurn(tx, ticket, session, lines[0]!.messageId, { kind: 'wrote', lines })
    else if (!(await waitsLonger(tx, ticket, session)))
      await runTurn(tx, ticket, session, `${ticketId} ${kept.dueAt}`, { kind: 'waited' })
    return true
  })

/**
 * A burst gets no answer that ended long ago, since the company was suspended, nor a wait whose bot was switched off: the next
 * message may. Somebody of the company has to look.
 */
async function stopWaiting(tx: Tx, ticket: Ticket, session: BotSessionState): Promise<void> {
  const { mode } = session.state
  const state: BotState = { ...session.state, mode: mode === 'calling' ? 'menu' : mode, lines: [] }
  await keepSession(tx, ticket.id, { ...session, state, dueAt: null })
  await markWithBot(tx, ticket, false)
}

/** A wait counts from what left last, and not while a model owes an answer. */
async function waitsLonger(tx: Tx, ticket: Ticket, session: BotSessionState): Promise<boolean> {
  const { botSetupId, state } = session
  const { script, setup } = await readScript(tx, botSetupId, ticket.whatsappId)
  const last = (await owesAnswer(tx, ticket.id))
    ? databaseNow()
    : Date.parse((await lastAutomaticAt(tx, ticket.id)) ?? '')
  const minutes = minutesAwaited(script, state, ticket, setup.timeWithoutQueue) ?? 0
  const end = last + minutes * MINUTE_MS
  if (!(end > databaseNow())) return false
  await moveWait(tx, ticket.id, new Date(end).toISOString())
  return true
}

const MINUTE_MS = 60_000

/**
 * Returns a conversation to the bot of its connection, which continues where it was. Refuses with ERR_NO_TICKET_FOUND,
 * ERR_TICKET_NOT_OPEN for a closed ticket, ERR_COMPANY_SUSPENDED, and ERR_NO_BOT for a connection without a bot.
 */
export const returnToBot = (scope: Scope, ticketId: number): Promise<Ticket> =>
  scope.transaction(async tx => {
    const found = await findTicket(tx, ticketId)
    const botSetupId = await botOf(tx, found)
    if (botSetupId === null) return refuse('ERR_NO_BOT')
    if (found.status === 'closed') refuse('ERR_TICKET_NOT_OPEN')
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

/**
 * The bot of the connection begins anew on a ticket without a user, which the caller holds locked. Nothing where it leads the
 * ticket already, is switched off, or the company is suspended.
 */
export async function startSilentBot(tx: Tx, ticketId: number, cause: string): Promise<void> {
  const ticket = (await loadTicket(tx, ticketId))!
  const botSetupId = await botOf(tx, ticket)
  if (botSetupId === null || (await readSuspended(tx))) return
  const session = await lockSession(tx, ticketId)
  if (session && LEADING.has(session.state.mode)) return
  const anew = { botSetupId, state: newBotState(), dueAt: null }
  await runTurn(tx, ticket, anew, cause, { kind: 'given' })
}

/** A user wrote or moved the ticket: withdraws the bot's waiting messages; it sends no more. */
export async function stepBack(tx: Tx, ticketId: number): Promise<void> {
  const session = await lockSession(tx, ticketId)
  if (!session) return
  await withdrawWaiting(tx, ticketId, 'bot')
  const { mode, guard } = session.state
  if (mode === 'over' || (mode === 'stopped' && !guard.caught)) return
  await runTurn(tx, (await loadTicket(tx, ticketId))!, session, '', { kind: 'taken' })
}

/** A flow speaks instead of the bot of the connection, which is silent from here on, also where it had not begun. */
export async function silenceBot(tx: Tx, ticketId: number): Promise<void> {
  if (await lockSession(tx, ticketId)) return stepBack(tx, ticketId)
  const ticket = (await loadTicket(tx, ticketId))!
  const botSetupId = await botOf(tx, ticket)
  const anew = botSetupId !== null && { botSetupId, state: newBotState(), dueAt: null }
  if (anew) await runTurn(tx, ticket, anew, '', { kind: 'taken' })
}

/** The bot of the connection of a ticket; null without one. */
const botOf = async (tx: Tx, { whatsappId, isGroup }: Pick<Ticket, 'whatsappId' | 'isGroup'>) =>
  whatsappId === null || isGroup ? null : botOn(tx, whatsappId)

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
  // the guard moved it
  if (session.state.mode === 'stopped' && mode === 'handed') return
  const state: BotState = { ...session.state, mode, silentSince: databaseNow(), begun: true, lines: [] }
  await keep(tx, ticket, { ...session, state, dueAt: null })
  publishSession(tx, ticket, state)
}

/** The model's dialog is over: the conversation is escalated, unless the customer asks for the menu. */
export async function escalateToPeople(tx: Tx, ticketId: number): Promise<void> {
  const session = await lockSession(tx, ticketId)
  if (session?.state.mode !== 'prompt') return
  const state = { ...session.state, mode: 'handed', silentSince: databaseNow() } as const
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

/** Whether a text that is typed on the phone is no answer: the phone's own greeting, or where the setup says so. */
export async function isPhoneAside(tx: Tx, ticketId: number, isQuick: boolean): Promise<boolean> {
  const session = await findSession(tx, ticketId)
  if (!session || !LEADING.has(session.state.mode)) return false
  return isQuick || !(await findSetup(tx, session.botSetupId)).phoneStopsBot
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
): Promise<void> {
  const { script, setup } = await readScript(tx, session.botSetupId, ticket.whatsappId)
  const now = databaseNow()
  const categoryIds = askedBy(script.commands).categories
    ? await categoriesOfContact(tx, ticket.contactId)
    : []
  const values = await placeholders(tx, ticket, null)
  const event = { ...trigger, at: now, ticket: { ...ticket, categoryIds }, values } as BotEvent
  const { state, does, trace } = step(script, session.state, event)
  const minutes = minutesAwaited(script, state, ticket, setup.timeWithoutQueue)
  const afterWait = (from: number) =>
    minutes === null ? null : new Date(from + minutes * MINUTE_MS).toISOString()
  const { botSetupId } = session
  await keep(tx, ticket, { botSetupId, state, dueAt: afterWait(now) })
  if (trace.some(({ what }) => what === 'chose' || what === 'backToMenu')) await takeBack(tx, ticket.id)
  const lines = event.kind === 'wrote' ? event.lines : []
  await perform(tx, { ticket, setup, script, cause, lines: lines as BotLine[], now, state }, does)
  const last = minutes === null ? null : await lastDue(tx, ticket.id)
  const later = last && Date.parse(last) > now ? afterWait(Date.parse(last)) : null
  if (later) await moveWait(tx, ticket.id, later)
  publishSession(tx, ticket, state)
}

/** The customer chose: what the bot was about to send before is not sent any more. */
async function takeBack(tx: Tx, ticketId: number): Promise<void> {
  await stopFlow(tx, ticketId)
  await withdrawWaiting(tx, ticketId, 'bot')
}

/** A session of another bot starts at the beginning of this one, which does not wait for what that one asked. */
function sessionFor(session: BotSessionState | null, botSetupId: number): BotSessionState {
  if (!session) return { botSetupId, state: newBotState(), dueAt: null }
  if (session.botSetupId === botSetupId) return session
  const mode = session.state.mode === 'calling' ? 'menu' : session.state.mode
  return { ...session, botSetupId, state: { ...session.state, mode, commandId: null, number: '' } }
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
