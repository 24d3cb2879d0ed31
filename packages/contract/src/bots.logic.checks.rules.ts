import { commandTypes } from './bots.commands.ts'
import { logicOf, nextOf } from './bots.logic.rules.ts'
import { decides, firstLevel, type Script, type ScriptCommand } from './bots.script.rules.ts'

/** Problems of what a command checks and calls. */
export type LogicProblem =
  | 'noConditions'
  /** The hours are asked for, and the company has none: it is always open. */
  | 'noHours'
  /** A way of a condition or a request leads nowhere: the first menu follows. */
  | 'noBranch'
  | 'noAddress'
  | 'noChoices'
  /** A wait without the command that follows it. */
  | 'noSilent'
  | 'jumpsNowhere'

export function logicProblems(script: Script, command: ScriptCommand): LogicProblem[] {
  const { conditions, check, choices, waitMinutes, silent, otherwise } = logicOf(command)
  const { condition, request, question } = commandTypes
  const is = (type: number) => command.commandType === type
  const found: LogicProblem[] = []
  if (is(condition) && conditions.length === 0) found.push('noConditions')
  if (is(condition) && conditions.some(({ kind }) => kind === 'hours') && script.around.isOpen === null)
    found.push('noHours')
  if (decides(command) && lacksBranch(script, command)) found.push('noBranch')
  if (is(request) && command.webhook === null) found.push('noAddress')
  if (is(question) && check === 'oneOf' && choices.length === 0) found.push('noChoices')
  if (is(question) && waitMinutes > 0 && silent === '') found.push('noSilent')
  if ([otherwise, silent].some(number => number !== '' && !script.byNumber.has(number)))
    found.push('jumpsNowhere')
  return found
}

/** Before the first menu one way is enough: the other leads to the menu. */
function lacksBranch(script: Script, command: ScriptCommand): boolean {
  const ways = [true, false].filter(isHolding => nextOf(script, command, isHolding))
  return ways.length < (firstLevel(script).gates.includes(command) ? 1 : 2)
}
