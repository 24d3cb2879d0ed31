import { holds, logicOf, nextOf, ownWait, withVariables } from './bots.logic.rules.ts'
import { currentCommand, firstLevel, type ScriptCommand } from './bots.script.rules.ts'
import { branch, factsOf, goTo, leave, sendAs, sendMenu, type Turn, trace } from './bots.turn.rules.ts'

/** Goes where the first condition leads that stands before the first menu. False when none leads anywhere. */
export function passGates(turn: Turn): boolean {
  for (const gate of firstLevel(turn.script).gates) {
    const isHolding = holds(logicOf(gate), factsOf(turn))
    const next = nextOf(turn.script, gate, isHolding)
    if (!next) continue
    trace(turn, isHolding ? 'held' : 'heldNot', gate)
    goTo(turn, next)
    answerSomething(turn)
    return true
  }
  return false
}

/** An answer that is not what the question asks for: asked again; after the last try the other way, or people. */
export function wrongAnswer(turn: Turn, question: ScriptCommand): void {
  const { tries, wrong, otherwise } = logicOf(question)
  turn.state.errors += 1
  trace(turn, 'misunderstood', question)
  if (turn.state.errors < tries)
    return void (
      sendAs(turn, { ...question, mediaUrl: null }, wrong.trim() || question.showMessage) ||
      goTo(turn, question)
    )
  const next = turn.script.byNumber.get(otherwise)
  if (next) goTo(turn, next)
  else leave(turn, 'errors')
}

/** Keeps a right answer in its variable, and in the field of the contact. */
export function keepValue(turn: Turn, question: ScriptCommand, value: string): void {
  const { variable, keepIn, field } = logicOf(question)
  if (variable !== '') turn.state.variables = withVariables(turn.state, { [variable]: value })
  if (keepIn !== '' && value.trim() !== '')
    turn.does.push({ kind: 'keep', keepIn, field, value: value.trim() })
}

interface Called {
  commandId: number
  isOk: boolean
  filled: Record<string, string>
}

/** Another system answered. Ignored when the conversation went on meanwhile. */
export function called(turn: Turn, { commandId, isOk, filled }: Called): void {
  const { state, script } = turn
  if (state.mode !== 'calling' || state.commandId !== commandId) return void trace(turn, 'silent')
  if (isOk) state.variables = withVariables(state, filled)
  state.mode = 'menu'
  const command = currentCommand(script, state)
  const next = command?.id === commandId ? branch(turn, command, isOk) : null
  if (next) goTo(turn, next)
  answerSomething(turn)
}

/** The time of a question, or of a call, is over. False where neither has one. */
export function waitedLong(turn: Turn): boolean {
  const { script, state } = turn
  if (ownWait(script, state) === null) return false
  trace(turn, 'waited')
  if (state.mode === 'calling') called(turn, { commandId: state.commandId!, isOk: false, filled: {} })
  else {
    goTo(turn, script.byNumber.get(logicOf(currentCommand(script, state)!).silent)!)
    answerSomething(turn)
  }
  return true
}

/** A turn that sent nothing shows the menu, or escalates. */
function answerSomething(turn: Turn): void {
  const isSilent = turn.does.every(
    ({ kind }) => kind === 'tag' || kind === 'categorize' || kind === 'webhook',
  )
  if (isSilent && turn.state.mode === 'menu') sendMenu(turn, null) || leave(turn, 'empty')
}
