import { commandTypes } from './bots.commands.ts'
import { isMachine, newGuard, progressed, watched } from './bots.guard.rules.ts'
import { chosen } from './bots.heard.rules.ts'
import { choicesAt, commandAbove, type Script, type ScriptCommand, standingAt } from './bots.script.rules.ts'
import { BotState } from './bots.talk.ts'
import {
  type BotAct,
  type BotTicket,
  type BotTrace,
  close,
  goTo,
  jump,
  leave,
  plainly,
  sayMenu,
  standAt,
  type Turn,
  tell,
  toPrompt,
  utter,
  wantsMenu,
} from './bots.turn.rules.ts'
import type { Placeholders } from './placeholders.rules.ts'

/** What happens to a bot's conversation. Times are milliseconds since 1970: nothing here asks a clock. */
export type BotEvent = { at: number; ticket: BotTicket; values: Placeholders } & (
  | {
      kind: 'wrote'
      /** Empty where only a file came. */
      text: string
      mediaType: string | null
      /** The first word of its ticket. */
      isNew: boolean
    }
  /** Nothing was chosen for as long as the setup waits. */
  | { kind: 'waited' }
  /** A person speaks from here on: one wrote, accepted, or stopped it. */
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
  silentSince: null,
  guard: newGuard(),
})

/** The state as it was kept; one that cannot be understood any more begins anew. */
export function readBotState(kept: unknown): BotState {
  const read = BotState.safeParse(kept)
  return read.success ? read.data : newBotState()
}

/**
 * One turn of a conversation: what it stands at afterwards, what is said and done, and why. The server, the tests and the
 * phone beside the editor run this very function. It never speaks where people do, always answers or hands over, and
 * ends whatever the script says (OP-99).
 */
export function step(script: Script, given: BotState, event: BotEvent): BotStep {
  const turn: Turn = {
    script,
    state: structuredClone(given),
    heard: event.kind === 'wrote' ? event.text : '',
    at: event.at,
    values: event.values,
    does: [],
    trace: [],
    reached: [],
  }
  if (event.kind === 'taken') takenOver(turn)
  else if (event.ticket.status !== 'pending' || event.ticket.isGroup) tell(turn, 'silent')
  else if (event.kind === 'waited') waited(turn, event.ticket)
  else if (event.kind === 'given') givenBack(turn)
  else wrote(turn, event)
  return { state: turn.state, does: turn.does, trace: turn.trace }
}

/** Whether something has to happen in a while if the customer says nothing more. A model that speaks is no choice. */
export function awaitsChoice({ setup }: Script, { mode }: BotState, ticket: BotTicket): boolean {
  const listens = mode === 'menu' || mode === 'question' || mode === 'prompt' || mode === 'quiet'
  const waits = ticket.status === 'pending' && ticket.queueId === null
  return listens && waits && setup.actionWithoutQueue !== 'none'
}

function takenOver(turn: Turn): void {
  if (turn.state.mode === 'over') return
  if (turn.state.mode === 'prompt') turn.does.push({ kind: 'endPrompt' })
  tell(turn, 'silent')
  Object.assign(turn.state, { mode: 'stopped', silentSince: turn.at })
}

function wrote(turn: Turn, { isNew, text, mediaType, at }: BotEvent & { kind: 'wrote' }): void {
  const anew = isNew || comesBack(turn)
  if (anew) turn.state = newBotState()
  const { state } = turn
  const isDone = state.mode === 'handed' && !wantsMenu(turn)
  if (isDone || state.mode === 'stopped' || state.mode === 'over') return void tell(turn, 'silent')
  const guard = watched(state.guard, text, at)
  if (isMachine(guard)) return void stopMachine(turn)
  const wasPrompt = state.mode === 'prompt'
  if (anew) begin(turn)
  else if (wantsMenu(turn)) backToMenu(turn)
  else if (wasPrompt) toPrompt(turn, promptAt(turn), false)
  else if (state.mode === 'question') answer(turn, text.trim() || (mediaType ? `[${mediaType}]` : ''))
  else if (!choose(turn, text)) return
  if (turn.does.every(isUnseen)) sayMenu(turn, null) || leave(turn, 'empty')
  const isTalk = wasPrompt && state.mode === 'prompt'
  state.guard = isTalk ? guard : progressed(guard, turn.reached)
}

/** What a customer hears nothing of. */
const isUnseen = ({ kind }: BotAct) =>
  kind === 'tag' || kind === 'categorize' || kind === 'webhook' || kind === 'endPrompt'

function comesBack({ state, script, at }: Turn): boolean {
  const hours = script.setup.reopenBotAfterHours
  return hours > 0 && state.silentSince !== null && at - state.silentSince >= hours * HOUR_MS
}

function stopMachine(turn: Turn): void {
  if (turn.state.mode === 'prompt') turn.does.push({ kind: 'endPrompt' })
  leave(turn, 'machine')
  tell(turn, 'guarded')
  turn.state.mode = 'stopped'
}

function begin(turn: Turn): void {
  tell(turn, 'began')
  const { setup, around } = turn.script
  if (setup.botType === 'gpt') return void toPrompt(turn, setup.botConfigId, true)
  const [first, ...others] = choicesAt(turn.script, null)
  if (first && others.length > 0) return void sayMenu(turn, null)
  utter(turn, plainly(around.greeting))
  if (first) goTo(turn, first)
  else leave(turn, 'empty')
}

/** To the first menu; a tree with one trunk begins at that. */
function backToMenu(turn: Turn): void {
  if (turn.state.mode === 'prompt') turn.does.push({ kind: 'endPrompt' })
  Object.assign(turn.state, { errors: 0, silentSince: null })
  tell(turn, 'backToMenu')
  const [first, ...others] = choicesAt(turn.script, null)
  standAt(turn, null)
  if (first && others.length === 0) return void goTo(turn, first)
  sayMenu(turn, null) || leave(turn, 'empty')
}

const promptAt = ({ script, state }: Turn): number | null =>
  script.setup.botType === 'gpt' ? script.setup.botConfigId : (standingAt(script, state)?.botConfigId ?? null)

/** Keeps the answer to a question and goes where the question leads: on, below itself, or back to the menu. */
function answer(turn: Turn, text: string): void {
  const { script, state } = turn
  const question = standingAt(script, state)
  if (!question || question.commandType !== commandTypes.question) {
    // the question is gone, or asks no more: whatever stands there now is a menu
    standAt(turn, question)
    return void choose(turn, text)
  }
  const kept = { commandId: question.id, number: question.commandBot, question: question.showMessage, text }
  state.answers = [...state.answers.filter(one => one.commandId !== question.id), kept].slice(-MOST_ANSWERS)
  tell(turn, 'answered', question)
  state.errors = 0
  const choices = choicesAt(script, question)
  const next = jump(turn, question) ?? (choices.length === 1 ? choices[0]! : null)
  if (next) return void goTo(turn, next)
  sayMenu(turn, question) || leave(turn, 'empty')
}

/** False when nothing is to be said to it. */
function choose(turn: Turn, text: string): boolean {
  const { script, state } = turn
  const menu = menuAt(script, standingAt(script, state))
  const choice = chosen(text, choicesAt(script, menu), menu?.commandBot ?? '')
  if (choice) {
    tell(turn, 'chose', choice)
    goTo(turn, choice)
    return true
  }
  if (state.mode === 'quiet') {
    tell(turn, 'silent')
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
  tell(turn, 'misunderstood', menu)
  if (choicesAt(script, menu).length === 0) return void leave(turn, 'empty')
  if (countErrorsBot === 0 || state.errors <= countErrorsBot) {
    sayMenu(turn, menu) || leave(turn, 'empty')
    return
  }
  utter(turn, plainly(messageOnErrorsBot))
  turn.does.push({ kind: 'note', why: 'errors' })
  tell(turn, 'tooManyErrors', menu)
  Object.assign(state, { mode: 'quiet', silentSince: turn.at })
}

/** The customer chose nothing in time (automation §4): told so and closed, or handed to the queue of the setup. */
function waited(turn: Turn, ticket: BotTicket): void {
  const { script, state } = turn
  const { actionWithoutQueue, messageOnWithoutQueue, transferQueueId } = script.setup
  if (!awaitsChoice(script, state, ticket)) return void tell(turn, 'silent')
  tell(turn, 'waited')
  if (state.mode === 'prompt') turn.does.push({ kind: 'endPrompt' })
  utter(turn, plainly(messageOnWithoutQueue))
  if (actionWithoutQueue === 'sendMessageAndClosed') return void close(turn)
  if (transferQueueId === null || !script.around.queues.has(transferQueueId)) return void leave(turn, 'gone')
  turn.does.push({ kind: 'move', queueId: transferQueueId, userId: null })
  tell(turn, 'handedOver')
  Object.assign(state, { mode: 'handed', silentSince: turn.at })
}

/** Goes on where it stood: the menu, the question or the prompt once more. */
function givenBack(turn: Turn): void {
  const { script, state } = turn
  Object.assign(state, { guard: newGuard(), errors: 0, silentSince: null })
  tell(turn, 'givenBack')
  if (script.setup.botType === 'gpt') return void toPrompt(turn, script.setup.botConfigId, true)
  const at = standingAt(script, state)
  if (at?.commandType === commandTypes.question || at?.commandType === commandTypes.prompt)
    return void goTo(turn, at)
  sayMenu(turn, at) || leave(turn, 'empty')
}
