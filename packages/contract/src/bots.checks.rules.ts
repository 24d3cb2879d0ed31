import { commandTypes } from './bots.commands.ts'
import { type LogicProblem, logicProblems } from './bots.logic.checks.rules.ts'
import { isBelow, numberAbove } from './bots.numbers.rules.ts'
import { choicesAt, firstLevel, type Script, type ScriptCommand } from './bots.script.rules.ts'
import { optionsOf, optionTitle, styleOf, writtenParts } from './bots.words.rules.ts'
import { MOST_OPTIONS } from './kinds.ts'

/** Problems of a script. None of them stops a conversation: the interpreter skips them. */
export type BotProblem =
  | 'noCommands'
  /** Its number is below one that does not exist. */
  | 'noParent'
  | 'emptyMenu'
  | 'saysNothing'
  /** It is in a menu without a name, so it is not shown. */
  | 'unnamed'
  | 'sameName'
  | 'noQueue'
  | 'noUser'
  | 'noFlow'
  | 'noPrompt'
  | 'jumpsNowhere'
  /** Commands that follow each other automatically without a question. */
  | 'circle'
  /** More than 10, for buttons 3, for a poll 12: they are written instead. */
  | 'tooManyChoices'
  | 'noTransferQueue'
  /** It is sent in several messages. */
  | 'tooLong'
  | LogicProblem

export interface FoundProblem {
  problem: BotProblem
  /** Null: the setup itself. */
  commandId: number | null
  number: string
}

/** All warnings for the author, in the order of the commands. */
export function problemsOf(script: Script): FoundProblem[] {
  const { setup, around } = script
  const ofSetup: BotProblem[] = []
  if (setup.botType === 'gpt') {
    if (!around.botConfigIds.has(setup.botConfigId ?? 0)) ofSetup.push('noPrompt')
  } else if (script.commands.length === 0) ofSetup.push('noCommands')
  if (setup.actionWithoutQueue === 'transferQueueDefault' && !around.queues.has(setup.transferQueueId ?? 0))
    ofSetup.push('noTransferQueue')
  if (isLong(script, { commandBot: '', showMessage: around.greeting, mediaUrl: null }))
    ofSetup.push('tooLong')
  return [
    ...ofSetup.map(problem => ({ problem, commandId: null, number: '' })),
    ...script.commands.flatMap(command =>
      problemsAt(script, command).map(problem => ({
        problem,
        commandId: command.id,
        number: command.commandBot,
      })),
    ),
  ]
}

function problemsAt(script: Script, command: ScriptCommand): BotProblem[] {
  const { around } = script
  const { commandType, typeMessage, forceNextFlow, commandBot } = command
  const found: BotProblem[] = []
  const above = numberAbove(commandBot)
  if (above !== '' && !script.byNumber.has(above)) found.push('noParent')
  if (typeMessage === 'flow' && !around.flowIds.has(command.flowId ?? 0)) found.push('noFlow')
  const isSector = commandType === commandTypes.sector
  if (isSector || commandType === commandTypes.attendant) {
    if (!around.queues.has(command.queueId ?? 0) && (isSector || command.queueId !== null))
      found.push('noQueue')
    if (!isSector && !around.userIds.has(command.userId ?? 0)) found.push('noUser')
  }
  if (commandType === commandTypes.prompt && !around.botConfigIds.has(command.botConfigId ?? 0))
    found.push('noPrompt')
  if (forceNextFlow !== '' && !script.byNumber.has(forceNextFlow)) found.push('jumpsNowhere')
  if (isEmptyCommand(script, command)) found.push('saysNothing')
  if (isLong(script, command)) found.push('tooLong')
  const ofLogic = logicProblems(script, command).filter(problem => !found.includes(problem))
  return [
    ...found,
    ...ofLogic,
    ...problemsOfMenu(script, command),
    ...(inCircle(script, command) ? ['circle' as const] : []),
  ]
}

const speaking = new Set<number>([
  commandTypes.informative,
  commandTypes.menu,
  commandTypes.buttons,
  commandTypes.question,
])

function isEmptyCommand(script: Script, command: ScriptCommand): boolean {
  const { commandType, typeMessage, showMessage, mediaUrl } = command
  if (!speaking.has(commandType) || typeMessage === 'flow') return false
  const isNamed = choicesAt(script, command).some(({ descriptionBot }) => descriptionBot.trim() !== '')
  return showMessage.trim() === '' && mediaUrl === null && !isNamed
}

/** Its text with its choices, as it is written. */
function isLong(
  script: Script,
  { commandBot, showMessage, mediaUrl }: Pick<ScriptCommand, 'commandBot' | 'showMessage' | 'mediaUrl'>,
): boolean {
  const options = optionsOf(script.below.get(commandBot) ?? [], commandBot)
  return writtenParts({ commandId: null, text: showMessage, mediaUrl, options, style: 'text' }).length > 1
}

function problemsOfMenu(script: Script, command: ScriptCommand): BotProblem[] {
  const { commandType, commandBot } = command
  const choices = choicesAt(script, command)
  const isMenu = commandType === commandTypes.menu || commandType === commandTypes.buttons
  const style = styleOf(command, script.setup)
  const most = { text: Number.POSITIVE_INFINITY, poll: MOST_OPTIONS, list: 10, buttons: 3 }[style]
  const titles = choices.map(choice => optionTitle(choice, commandBot, 'buttons').toLowerCase())
  const found: BotProblem[] = []
  if (isMenu && choices.length === 0) found.push('emptyMenu')
  if (isMenu && choices.length > most) found.push('tooManyChoices')
  if (isMenu && new Set(titles).size < titles.length) found.push('sameName')
  if (isOffered(script, command) && command.descriptionBot.trim() === '') found.push('unnamed')
  return found
}

/** Whether it is chosen somewhere: the only trunk of a tree is entered by itself, and so is what a question leads to. */
function isOffered(script: Script, command: ScriptCommand): boolean {
  const above = numberAbove(command.commandBot)
  const { roots } = firstLevel(script)
  if (above === '') return roots.length > 1 && roots.includes(command)
  const parent = script.byNumber.get(above)
  return parent?.commandType === commandTypes.menu || parent?.commandType === commandTypes.buttons
}

/** Follows what leads on by itself: only what informs does so without asking. */
function inCircle(script: Script, start: ScriptCommand): boolean {
  let at: ScriptCommand | undefined = start
  for (let steps = 0; at && steps <= script.commands.length; steps++) {
    const informs = at.commandType === commandTypes.informative && choicesAt(script, at).length === 0
    if (!informs || at.forceNextFlow === '') return false
    at = script.byNumber.get(at.forceNextFlow)
    if (at?.id === start.id) return true
  }
  return false
}

/** The commands of a branch with everything below it. */
export const branchOf = <T extends { commandBot: string }>(commands: T[], number: string): T[] =>
  commands.filter(({ commandBot }) => commandBot === number || isBelow(commandBot, number))
