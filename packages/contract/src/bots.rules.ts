import type { BotAct, BotTrace } from './bots.acts.ts'
import { chosen } from './bots.choice.rules.ts'
import { commandTypes } from './bots.commands.ts'
import { isMachine, newGuard, progressed, watched } from './bots.guard.rules.ts'
import { checkedAnswer, logicOf, ownWait } from './bots.logic.rules.ts'
import {
  choicesAt,
  commandAbove,
  currentCommand,
  decides,
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
      /** Empty for a file without text. */
      text: string
      mediaType: string | null
      /** The message; null in a trial. */
      messageId: string | null
      /** The first message of its ticket. */
      isNew: boolean
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
    state: structuredClone(given),
    received: event.kind === 'wrote' ? event.text : '',
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
  Object.assign(turn.state, { mode: 'stopped', silentSince: turn.at })
}

type Wrote = BotEvent & { kind: 'wrote' }

function wrote(turn: Turn, event: Wrote): void {
  const { isNew, text, mediaType, at } = event
  const anew = isNew || comesBack(turn)
  if (anew) turn.state = newBotState()
  const { state } = turn
  const isDone = (state.mode === 'handed' || state.mode === 'calling') && !wantsMenu(turn)
  if (isDone || state.mode === 'stopped' || state.mode === 'over') return void trace(turn, 'silent')
  const guard = watched(state.guard, text, at)
  if (isMachine(guard)) return void stopMachine(turn)
  const wasPrompt = state.mode === 'prompt'
  if (anew) begin(turn)
  else if (wantsMenu(turn)) backToMenu(turn)
  else if (wasPrompt) toPrompt(turn, promptAt(turn), false)
  else if (state.mode === 'question')
    answer(turn, text.trim() || (mediaType ? `[${mediaType}]` : ''), fileOf(event))
  else if (!choose(turn, text)) return
  if (turn.does.every(isUnseen)) sendMenu(turn, null) || leave(turn, 'empty')
  const isTalk = wasPrompt && state.mode === 'prompt'
  state.guard = isTalk ? guard : progressed(guard, turn.reached)
}

/** Effects that send nothing to the customer. */
const isUnseen = ({ kind }: BotAct) =>
  kind === 'tag' || kind === 'categorize' || kind === 'webhook' || kind === 'keep' || kind === 'endPrompt'

function comesBack({ state, script, at }: Turn): boolean {
  const hours = script.setup.reopenBotAfterHours
  return hours > 0 && state.silentSince !== null && at - state.silentSince >= hours * HOUR_MS
}

function stopMachine(turn: Turn): void {
  if (turn.state.mode === 'prompt') turn.does.push({ kind: 'endPrompt' })
  leave(turn, 'machine')
  trace(turn, 'guarded')
  turn.state.mode = 'stopped'
}

function begin(turn: Turn): void {
  trace(turn, 'began')
  const { setup, around } = turn.script
  if (setup.botType === 'gpt') return void toPrompt(turn, setup.botConfigId, true)
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
  Object.assign(turn.state, { errors: 0, silentSince: null })
  trace(turn, 'backToMenu')
  const [first, ...others] = firstLevel(turn.script).roots
  moveTo(turn, null)
  if (passGates(turn)) return
  if (first && others.length === 0) return void goTo(turn, first)
  sendMenu(turn, null) || leave(turn, 'empty')
}

const promptAt = ({ script, state }: Turn): number | null =>
  script.setup.botType === 'gpt'
    ? script.setup.botConfigId
    : (currentCommand(script, state)?.botConfigId ?? null)

/** Stores the answer to a question and goes to the next command: the named one, its child, or the menu. */
function answer(turn: Turn, given: string, file: BotState['answers'][number]['file']): void {
  const { script, state } = turn
  const question = currentCommand(script, state)
  if (!question || question.commandType !== commandTypes.question) {
    // the command was deleted or is no question any more: treat it as a menu
    moveTo(turn, question)
    return void choose(turn, given)
  }
  const text = checkedAnswer(logicOf(question), given)
  if (text === null) return void wrongAnswer(turn, question)
  keepValue(turn, question, text)
  const { id: commandId, commandBot: number, showMessage } = question
  const kept = { commandId, number, question: showMessage, text, file }
  state.answers = [...state.answers.filter(one => one.commandId !== question.id), kept].slice(-MOST_ANSWERS)
  trace(turn, 'answered', question)
  state.errors = 0
  const choices = choicesAt(script, question)
  const next = jump(turn, question) ?? (choices.length === 1 ? choices[0]! : null)
  if (next) return void goTo(turn, next)
  sendMenu(turn, question) || leave(turn, 'empty')
}

const fileOf = ({ messageId, mediaType }: Wrote) => (messageId && mediaType ? { messageId, mediaType } : null)

/** False when it gets no answer. */
function choose(turn: Turn, text: string): boolean {
  const { script, state } = turn
  const menu = menuAt(script, currentCommand(script, state))
  if (menu && decides(menu)) return goTo(turn, menu) === null
  const choice = chosen(text, choicesAt(script, menu), menu?.commandBot ?? '')
  if (choice) {
    trace(turn, 'chose', choice)
    goTo(turn, choice)
    return true
  }
  if (state.mode === 'quiet') {
    trace(turn, 'silent')
    return false
  }
  misunderstood(turn, menu)
  return true
}

function menuAt(script: Script, at: ScriptCommand | null): ScriptCommand | null {
  let menu = at
  while (menu && choicesAt(script, menu).length === 0) menu = commandAbove(script, menu.commandBot)
  return menu
}

function misunderstood(turn: Turn, menu: ScriptCommand | null): void {
  const { state, script } = turn
  const { countErrorsBot, messageOnErrorsBot } = script.setup
  state.errors += 1
  trace(turn, 'misunderstood', menu)
  if (choicesAt(script, menu).length === 0) return void leave(turn, 'empty')
  if (countErrorsBot === 0 || state.errors <= countErrorsBot) {
    sendMenu(turn, menu) || leave(turn, 'empty')
    return
  }
  sendBotMessage(turn, plainly(messageOnErrorsBot))
  turn.does.push({ kind: 'note', why: 'errors' })
  trace(turn, 'tooManyErrors', menu)
  Object.assign(state, { mode: 'quiet', silentSince: turn.at })
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

/** Resumes at the current command: repeats the menu, the question or the prompt. */
function givenBack(turn: Turn): void {
  const { script, state } = turn
  Object.assign(state, { guard: newGuard(), errors: 0, silentSince: null })
  trace(turn, 'givenBack')
  if (script.setup.botType === 'gpt') return void toPrompt(turn, script.setup.botConfigId, true)
  const at = currentCommand(script, state)
  if (at?.commandType === commandTypes.question || at?.commandType === commandTypes.prompt)
    return void goTo(turn, at)
  sendMenu(turn, at) || leave(turn, 'empty')
}
