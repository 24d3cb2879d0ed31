import type { BotAct, BotTrace } from './bots.acts.ts'
import { isBackToMenu } from './bots.choice.rules.ts'
import { commandTypes } from './bots.commands.ts'
import { chose, isMachine, newGuard, progressed, watched } from './bots.guard.rules.ts'
import {
  type BotLines,
  choiceIn,
  fileIn,
  inputOf,
  isOfOlderMenu,
  misunderstood,
  suspect,
  warnOnce,
} from './bots.heard.rules.ts'
import { checkedAnswer, logicOf, ownWait } from './bots.logic.rules.ts'
import {
  choicesAt,
  currentCommand,
  firstLevel,
  type Script,
  type ScriptCommand,
} from './bots.script.rules.ts'
import { BotState } from './bots.talk.ts'
import { called, keepValue, passGates, waitedLong, wrongAnswer } from './bots.tree.rules.ts'
import {
  type BotTicket,
  close,
  goTo,
  jump,
  leave,
  moveTo,
  plainly,
  sendBotMessage,
  sendMenu,
  type Turn,
  toPrompt,
  trace,
  wantsMenu,
} from './bots.turn.rules.ts'
import type { Placeholders } from './placeholders.rules.ts'

/** Events of a bot's conversation. Times are milliseconds since 1970: the rules read no clock. */
export type BotEvent = { at: number; ticket: BotTicket; values: Placeholders } & (
  | {
      kind: 'wrote'
      /** The messages of one burst, which are one input. */
      lines: BotLines
    }
  /** Nothing was chosen within the timeout of the setup. */
  | { kind: 'waited' }
  /** Another system answered the request of a command, or did not. */
  | { kind: 'called'; commandId: number; isOk: boolean; filled: Record<string, string> }
  /** A person attends from here on: one wrote, accepted, or stopped the bot. */
  | { kind: 'taken' }
  /** A person gave the conversation back. */
  | { kind: 'given' }
)

export interface BotStep {
  state: BotState
  does: BotAct[]
  trace: BotTrace[]
}

const HOUR_MS = 3_600_000
const MOST_ANSWERS = 50

export const newBotState = (): BotState => ({
  mode: 'menu',
  commandId: null,
  number: '',
  errors: 0,
  answers: [],
  variables: {},
  silentSince: null,
  guard: newGuard(),
  begun: false,
  warned: false,
  lines: [],
  alone: 0,
})

/** The stored state; an invalid one starts anew. */
export function readBotState(kept: unknown): BotState {
  const read = BotState.safeParse(kept)
  return read.success ? read.data : newBotState()
}

/**
 * One turn of a conversation: the new state, what is sent and done, and a trace. The server, the tests and the
 * simulator beside the editor run this function. It never sends while a person attends, always answers or escalates,
 * and terminates for every script (OP-99).
 */
export function step(script: Script, given: BotState, event: BotEvent): BotStep {
  const turn: Turn = {
    script,
    state: { ...structuredClone(given), lines: [] },
    received: event.kind === 'wrote' ? inputOf(event.lines) : '',
    at: event.at,
    ticket: event.ticket,
    values: event.values,
    does: [],
    trace: [],
    reached: [],
  }
  if (event.kind === 'taken') stopForPerson(turn)
  else if (event.ticket.status !== 'pending' || event.ticket.isGroup) trace(turn, 'silent')
  else if (event.kind === 'waited') waited(turn, event.ticket)
  else if (event.kind === 'called') called(turn, event)
  else if (event.kind === 'given') givenBack(turn)
  else wrote(turn, event)
  if (event.kind === 'wrote') turn.state.alone = 0
  return { state: turn.state, does: turn.does, trace: turn.trace }
}

type Waiting = Pick<BotTicket, 'status' | 'queueId'>

/** After how many minutes of silence something happens (`waited`); null when nothing does. */
export function minutesAwaited(
  script: Script,
  state: BotState,
  ticket: Waiting,
  usual: number,
): number | null {
  if (ticket.status !== 'pending') return null
  return ownWait(script, state) ?? (awaitsChoice(script, state, ticket) ? usual : null)
}

/** Whether the timeout of the setup applies while the customer is silent. A model's dialog has none. */
export function awaitsChoice({ setup }: Script, { mode }: BotState, ticket: Waiting): boolean {
  const listens = mode === 'menu' || mode === 'question' || mode === 'prompt' || mode === 'quiet'
  const waits = ticket.status === 'pending' && ticket.queueId === null
  return listens && waits && setup.actionWithoutQueue !== 'none'
}

function stopForPerson(turn: Turn): void {
  if (turn.state.mode === 'over') return
  if (turn.state.mode === 'prompt') turn.does.push({ kind: 'endPrompt' })
  trace(turn, 'silent')
  turn.state.guard.caught = false
  Object.assign(turn.state, { mode: 'stopped', silentSince: turn.at, begun: true })
}

/** Whether a message changes nothing: people have the conversation, or the bot waits for `#`. */
export function isDeaf({ setup }: Script, state: BotState, text: string, at: number): boolean {
  if (beginsAnew(setup, state, at)) return false
  const isCaught = state.mode === 'stopped' && state.guard.caught
  if (state.mode === 'handed' || state.mode === 'calling' || isCaught)
    return !(isBackToMenu(text) && setup.botType === 'common')
  return state.mode === 'stopped' || state.mode === 'over'
}

/** Whether a message begins the conversation: the first one, or after the hours of the setup. */
export function beginsAnew(
  { reopenBotAfterHours: hours }: Script['setup'],
  { begun, silentSince }: BotState,
  at: number,
): boolean {
  return !begun || (hours > 0 && silentSince !== null && at - silentSince >= hours * HOUR_MS)
}

function wrote(turn: Turn, { lines, at }: BotEvent & { kind: 'wrote' }): void {
  const { script, received } = turn
  if (isDeaf(script, turn.state, received, at)) return void trace(turn, 'silent')
  const anew = beginsAnew(script.setup, turn.state, at)
  if (anew) turn.state = { ...newBotState(), begun: true }
  else if (wantsMenu(turn)) return void backToMenu(turn)
  const { mode } = turn.state
  const choice = anew || mode === 'prompt' || mode === 'question' ? null : choiceIn(turn, lines)
  const guard = choice
    ? chose(turn.state.guard, choice.id, at)
    : watched(turn.state.guard, lines.map(({ text }) => text).join('\n'), at)
  if (isMachine(guard, choice ? 0 : turn.state.errors)) return void suspect(turn)
  const isHeard = respond(turn, lines, { anew, choice })
  turn.state.guard = guard
  if (!isHeard) return
  if (turn.does.every(isUnseen)) sendMenu(turn, null) || leave(turn, 'empty')
  if (mode === 'question' || anew) turn.state.guard = progressed(guard, turn.reached)
}

/** False when it gets no answer. */
function respond(
  turn: Turn,
  lines: BotLines,
  { anew, choice }: { anew: boolean; choice: ScriptCommand | null },
) {
  const { state } = turn
  if (anew) begin(turn)
  else if (lines.every(line => isOfOlderMenu(turn, line))) return warnOnce(turn)
  else if (state.mode === 'question' && lines.every(({ unread }) => unread)) return notYetAsked(turn)
  else if (state.mode === 'prompt') toPrompt(turn, promptAt(turn), { begins: false })
  else if (state.mode === 'question') answer(turn, lines)
  else if (choice) {
    trace(turn, 'chose', choice)
    state.warned = false
    goTo(turn, choice)
  } else return misunderstood(turn, lines)
  return true
}

/** What was written before the question had left is no answer to it. */
function notYetAsked(turn: Turn): false {
  trace(turn, 'silent')
  return false
}

/** Effects that send nothing to the customer. */
const isUnseen = ({ kind }: BotAct) =>
  kind === 'tag' || kind === 'categorize' || kind === 'webhook' || kind === 'keep' || kind === 'endPrompt'

function beginOrLeave(turn: Turn): void {
  begin(turn)
  if (turn.does.every(isUnseen)) sendMenu(turn, null) || leave(turn, 'empty')
}

function begin(turn: Turn): void {
  trace(turn, 'began')
  const { setup, around } = turn.script
  if (setup.botType === 'gpt') return void toPrompt(turn, setup.botConfigId, { begins: true })
  if (passGates(turn)) return
  const [first, ...others] = firstLevel(turn.script).roots
  if (first && others.length > 0) return void sendMenu(turn, null)
  sendBotMessage(turn, plainly(around.greeting))
  if (first) goTo(turn, first)
  else leave(turn, 'empty')
}

/** To the first menu; a tree with one trunk begins at that. */
function backToMenu(turn: Turn): void {
  if (turn.state.mode === 'prompt') turn.does.push({ kind: 'endPrompt' })
  Object.assign(turn.state, { errors: 0, silentSince: null, guard: newGuard(), warned: false })
  trace(turn, 'backToMenu')
  const [first, ...others] = firstLevel(turn.script).roots
  moveTo(turn, null)
  if (passGates(turn)) return
  if (first && others.length === 0) goTo(turn, first)
  else sendMenu(turn, null)
  if (turn.does.every(isUnseen)) sendMenu(turn, null) || leave(turn, 'empty')
}

const promptAt = ({ script, state }: Turn): number | null =>
  script.setup.botType === 'gpt'
    ? script.setup.botConfigId
    : (currentCommand(script, state)?.botConfigId ?? null)

/** Stores the answer to a question and goes to the next command: the named one, its child, or the menu. */
function answer(turn: Turn, lines: BotLines): void {
  const { script, state } = turn
  const question = currentCommand(script, state)
  if (!question || question.commandType !== commandTypes.question) {
    // the command was deleted or is no question any more: treat it as a menu
    moveTo(turn, question)
    const choice = choiceIn(turn, lines)
    if (choice) goTo(turn, choice)
    else misunderstood(turn, lines)
    return
  }
  const current = lines.filter(line => !line.unread && !isOfOlderMenu(turn, line))
  turn.received = inputOf(current)
  const text = checkedAnswer(logicOf(question), turn.received)
  if (text === null) return void wrongAnswer(turn, question)
  keepValue(turn, question, text)
  const { id: commandId, commandBot: number, showMessage } = question
  const kept = { commandId, number, question: showMessage, text, file: fileIn(current) }
  state.answers = [...state.answers.filter(one => one.commandId !== question.id), kept].slice(-MOST_ANSWERS)
  trace(turn, 'answered', question)
  state.errors = 0
  const choices = choicesAt(script, question)
  const next = jump(turn, question) ?? (choices.length === 1 ? choices[0]! : null)
  if (next) return void goTo(turn, next)
  sendMenu(turn, question) || leave(turn, 'empty')
}

/** The customer chose nothing in time (automation §4): informed and closed, or escalated to the queue of the setup. */
function waited(turn: Turn, ticket: BotTicket): void {
  const { script, state } = turn
  if (waitedLong(turn)) return
  const { actionWithoutQueue, messageOnWithoutQueue, transferQueueId } = script.setup
  if (!awaitsChoice(script, state, ticket)) return void trace(turn, 'silent')
  trace(turn, 'waited')
  if (state.mode === 'prompt') turn.does.push({ kind: 'endPrompt' })
  sendBotMessage(turn, plainly(messageOnWithoutQueue))
  if (actionWithoutQueue === 'sendMessageAndClosed') return void close(turn)
  if (transferQueueId === null || !script.around.queues.has(transferQueueId)) return void leave(turn, 'gone')
  turn.does.push({ kind: 'move', queueId: transferQueueId, userId: null })
  trace(turn, 'handedOver')
  Object.assign(state, { mode: 'handed', silentSince: turn.at })
}

/** Resumes at the current command: repeats the menu, the question or the prompt. One that never began does so. */
function givenBack(turn: Turn): void {
  const { script, state } = turn
  const isFirst = !state.begun
  Object.assign(state, { guard: newGuard(), errors: 0, silentSince: null, begun: true })
  trace(turn, 'givenBack')
  if (isFirst) return void beginOrLeave(turn)
  if (script.setup.botType === 'gpt') return void toPrompt(turn, script.setup.botConfigId, { begins: true })
  const at = currentCommand(script, state)
  if (at?.commandType === commandTypes.question || at?.commandType === commandTypes.prompt)
    return void goTo(turn, at)
  sendMenu(turn, at) || leave(turn, 'empty')
}
