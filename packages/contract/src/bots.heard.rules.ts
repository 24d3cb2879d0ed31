import { chosen, isBackToMenu } from './bots.choice.rules.ts'
import { newGuard } from './bots.guard.rules.ts'
import { answerTo } from './bots.logic.rules.ts'
import {
  choicesAt,
  commandAbove,
  currentCommand,
  decides,
  type Script,
  type ScriptCommand,
} from './bots.script.rules.ts'
import type { BotLine } from './bots.talk.ts'
import { goTo, leave, plainly, sendBotMessage, sendMenu, type Turn, trace } from './bots.turn.rules.ts'
import { WORDS } from './bots.words.rules.ts'

/** The messages of one burst, which are one input. */
export type BotLines = (Pick<BotLine, 'text' | 'mediaType' | 'choice' | 'unread'> &
  Partial<Pick<BotLine, 'messageId'>>)[]

/** What they say together; `#` counts alone. */
export const inputOf = (lines: BotLines) => {
  const asked = lines.find(({ text }) => isBackToMenu(text))
  return asked?.text ?? lines.map(wordsOf).filter(Boolean).join('\n')
}

const wordsOf = ({ text, mediaType }: BotLines[number]) => text.trim() || (mediaType ? `[${mediaType}]` : '')

/** The last file of the lines; null without one, and in a trial. */
export function fileIn(lines: BotLines): { messageId: string; mediaType: string } | null {
  const { messageId, mediaType } = lines.findLast(one => one.mediaType !== null) ?? {}
  return messageId && mediaType ? { messageId, mediaType } : null
}

/** The last of the lines that chooses something at the current menu. */
export function choiceIn({ script, state }: Turn, lines: BotLines): ScriptCommand | null {
  const menu = menuAt(script, currentCommand(script, state))
  const choices = offeredAt(script, menu)
  const made = lines.map(({ text, choice }) =>
    choice === null
      ? chosen(text, choices, menu?.commandBot ?? '')
      : (choices.find(({ id }) => id === choice) ?? null),
  )
  return made.findLast(Boolean) ?? null
}

/** What was tapped belongs to another menu than the current one, so it changes nothing. */
export function isOfOlderMenu(turn: Turn, { choice }: BotLines[number]): boolean {
  const { state, script } = turn
  if (choice === null) return false
  if (state.mode === 'question') return state.commandId === null || choice !== answerTo(state.commandId)
  if (state.mode === 'prompt') return true
  return !offeredAt(script, menuAt(script, currentCommand(script, state))).some(({ id }) => id === choice)
}

/** Reports once that a tap changed nothing. False when that was reported before. */
export function warnOnce(turn: Turn): boolean {
  const { state } = turn
  trace(turn, 'olderMenu')
  if (state.warned) return false
  state.warned = true
  return sendBotMessage(turn, plainly(WORDS.olderMenu))
}

/** False when it gets no answer: the bot is quiet, or its menu has not left yet, so that it is no answer to that. */
export function misunderstood(turn: Turn, lines: BotLines): boolean {
  const { state, script } = turn
  const { countErrorsBot, messageOnErrorsBot } = script.setup
  if (state.mode === 'quiet' || lines.every(({ unread }) => unread)) {
    trace(turn, 'silent')
    return false
  }
  const menu = menuAt(script, currentCommand(script, state))
  if (menu && decides(menu)) return goTo(turn, menu) === null
  state.errors += 1
  trace(turn, 'misunderstood', menu)
  if (choicesAt(script, menu).length === 0) {
    leave(turn, 'empty')
    return true
  }
  if (lines.every(({ text, mediaType }) => mediaType === 'audio' && text.trim() === ''))
    sendBotMessage(turn, plainly(WORDS.unheard))
  if (countErrorsBot === 0 || state.errors <= countErrorsBot) {
    sendMenu(turn, menu) || leave(turn, 'empty')
    return true
  }
  sendBotMessage(turn, plainly(messageOnErrorsBot))
  turn.does.push({ kind: 'note', why: 'errors' })
  trace(turn, 'tooManyErrors', menu)
  Object.assign(state, { mode: 'quiet', silentSince: turn.at })
  return true
}

/** Says so, escalates to the queue of the setup, and is silent until `#`. */
export function suspect(turn: Turn): void {
  const { state, script } = turn
  if (state.mode === 'prompt') turn.does.push({ kind: 'endPrompt' })
  sendBotMessage(turn, plainly(script.setup.botType === 'common' ? WORDS.guarded : WORDS.guardedModel))
  leave(turn, 'machine')
  const { transferQueueId } = script.setup
  if (transferQueueId !== null && script.around.queues.has(transferQueueId))
    turn.does.push({ kind: 'move', queueId: transferQueueId, userId: null })
  trace(turn, 'guarded')
  Object.assign(state, { mode: 'stopped', guard: { ...newGuard(), caught: true } })
}

const offeredAt = (script: Script, menu: ScriptCommand | null) =>
  menu && decides(menu) ? [] : choicesAt(script, menu)

function menuAt(script: Script, at: ScriptCommand | null): ScriptCommand | null {
  let menu = at
  while (menu && choicesAt(script, menu).length === 0) menu = commandAbove(script, menu.commandBot)
  return menu
}
