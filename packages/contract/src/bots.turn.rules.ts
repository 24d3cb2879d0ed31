import { isBackToMenu } from './bots.choice.rules.ts'
import { commandTypes } from './bots.commands.ts'
import { choicesAt, commandAbove, type Script, type ScriptCommand } from './bots.script.rules.ts'
import type { BotState } from './bots.talk.ts'
import { type BotMessage, optionsOf, worded } from './bots.words.rules.ts'
import type { Placeholders } from './placeholders.rules.ts'
import type { TicketStatus } from './tickets.ts'

/** Why a conversation is escalated: the sender is a machine, nothing was understood, or the target is gone. */
export type BotNote = 'machine' | 'errors' | 'gone' | 'empty'

/** What happens by a turn, in this order. */
export type BotAct =
  | ({ kind: 'say' } & BotMessage)
  | { kind: 'flow'; flowId: number; commandId: number }
  | { kind: 'tag'; tagIds: number[] }
  | { kind: 'categorize'; categoryIds: number[] }
  | { kind: 'webhook'; url: string; commandId: number; number: string; answer: string }
  | { kind: 'move'; queueId: number | null; userId: number | null }
  | { kind: 'close' }
  /**
   * The model answers; `begins`: a dialog is opened; `withText`: the received text goes to the model, it chose nothing.
   */
  | { kind: 'prompt'; botConfigId: number; begins: boolean; withText: boolean }
  | { kind: 'endPrompt' }
  /** A sentence on the ticket: from here on it is for people. */
  | { kind: 'note'; why: BotNote }

/** One step of the trace, for testing a bot. */
export interface BotTrace {
  what:
    | 'began'
    | 'backToMenu'
    | 'chose'
    | 'answered'
    | 'jumped'
    | 'misunderstood'
    | 'olderMenu'
    | 'tooManyErrors'
    | 'circle'
    | 'gone'
    | 'handedOver'
    | 'closed'
    | 'prompt'
    | 'waited'
    | 'givenBack'
    | 'guarded'
    | 'silent'
  commandId: number | null
  number: string
}

/** A turn while it is walked. */
export interface Turn {
  script: Script
  state: BotState
  received: string
  at: number
  values: Placeholders
  does: BotAct[]
  trace: BotTrace[]
  reached: number[]
}

/** The part of a ticket's state that a bot uses. */
export interface BotTicket {
  status: TicketStatus
  isGroup: boolean
  queueId: number | null
}

/** Limit of automatic steps, which ends loops. */
const MOST_STEPS = 50

export const trace = (turn: Turn, what: BotTrace['what'], command: ScriptCommand | null = null) =>
  turn.trace.push({ what, commandId: command?.id ?? null, number: command?.commandBot ?? '' })

/** Goes to a command, and on to its automatic successors. */
export function goTo(turn: Turn, first: ScriptCommand): null {
  const passed = new Set<number>()
  let next: ScriptCommand | null = first
  while (next) {
    if (passed.has(next.id) || passed.size === MOST_STEPS) {
      trace(turn, 'circle', next)
      moveTo(turn, null)
      return null
    }
    passed.add(next.id)
    next = arrive(turn, next)
  }
  return null
}

/** Does what a command does. Answers the one that follows by itself. */
function arrive(turn: Turn, command: ScriptCommand): ScriptCommand | null {
  const { script, state } = turn
  turn.reached.push(command.id)
  Object.assign(state, { errors: 0, silentSince: null })
  mark(turn, command)
  switch (command.commandType) {
    case commandTypes.sector:
    case commandTypes.attendant:
      return escalateTo(turn, command)
    case commandTypes.resolve:
      sendCommand(turn, command)
      return close(turn)
    case commandTypes.question:
      sendCommand(turn, command)
      moveTo(turn, command)
      state.mode = 'question'
      return null
    case commandTypes.prompt:
      sendCommand(turn, command)
      moveTo(turn, command)
      return toPrompt(turn, command.botConfigId, { begins: true })
    case commandTypes.menu:
    case commandTypes.buttons:
      return offer(turn, command)
    default: {
      if (choicesAt(script, command).length > 0) return offer(turn, command)
      sendCommand(turn, command)
      moveTo(turn, commandAbove(script, command.commandBot))
      return jump(turn, command)
    }
  }
}

function mark({ does, received }: Turn, { id, commandBot, tagIds, categoryIds, webhook }: ScriptCommand) {
  if (tagIds.length > 0) does.push({ kind: 'tag', tagIds })
  if (categoryIds.length > 0) does.push({ kind: 'categorize', categoryIds })
  if (webhook)
    does.push({ kind: 'webhook', url: webhook, commandId: id, number: commandBot, answer: received })
}

/** The command that `forceNextFlow` names, if it exists. */
export function jump(turn: Turn, { forceNextFlow }: ScriptCommand): ScriptCommand | null {
  if (forceNextFlow === '') return null
  const next = turn.script.byNumber.get(forceNextFlow) ?? null
  trace(turn, next ? 'jumped' : 'gone', next)
  return next
}

export function moveTo({ state }: Turn, command: ScriptCommand | null): void {
  state.mode = 'menu'
  state.commandId = command?.id ?? null
  state.number = command?.commandBot ?? ''
}

/** A menu is sent and awaits a choice; one without choices is sent and leads back to its parent. */
function offer(turn: Turn, command: ScriptCommand): null {
  const empty = choicesAt(turn.script, command).length === 0
  moveTo(turn, empty ? commandAbove(turn.script, command.commandBot) : command)
  sendCommand(turn, command)
  return null
}

/** Sends a menu again, or that of the nearest ancestor that has one. False when there is nothing to send. */
export function sendMenu(turn: Turn, at: ScriptCommand | null): boolean {
  let menu = at
  while (menu && choicesAt(turn.script, menu).length === 0) menu = commandAbove(turn.script, menu.commandBot)
  moveTo(turn, menu)
  const { setup, around } = turn.script
  if (menu)
    return put(turn, menu, menu.typeMessage === 'flow' ? '' : menu.showMessage) || sendMenu(turn, null)
  return sendBotMessage(turn, {
    commandId: null,
    text: around.greeting,
    mediaUrl: null,
    options: optionsOf(choicesAt(turn.script, null), ''),
    style: setup.typeMenu,
  })
}

/** Output of a command: its flow, or its message with its file; then its choices. */
function sendCommand(turn: Turn, command: ScriptCommand, instead = ''): void {
  const { flowIds } = turn.script.around
  if (command.typeMessage === 'flow' && command.flowId !== null && flowIds.has(command.flowId)) {
    turn.does.push({ kind: 'flow', flowId: command.flowId, commandId: command.id })
    put(turn, { ...command, mediaUrl: null }, '')
    return
  }
  if (command.typeMessage === 'flow') trace(turn, 'gone', command)
  put(turn, command, command.showMessage.trim() || instead)
}

function put(turn: Turn, command: ScriptCommand, text: string): boolean {
  const { commandType, commandBot, id, mediaUrl } = command
  const asks = new Set<number>([commandTypes.informative, commandTypes.menu, commandTypes.buttons])
  const choices = asks.has(commandType) ? choicesAt(turn.script, command) : []
  return sendBotMessage(turn, {
    commandId: id,
    text,
    mediaUrl,
    options: optionsOf(choices, commandBot),
    style: commandType === commandTypes.buttons ? 'buttons' : turn.script.setup.typeMenu,
  })
}

/** False when there would be nothing to see. */
export function sendBotMessage(turn: Turn, message: BotMessage): boolean {
  const text = worded(message.text, turn.values, turn.state.answers)
  if (text.trim() === '' && message.mediaUrl === null && message.options.length === 0) return false
  turn.does.push({ kind: 'say', ...message, text })
  return true
}

export const plainly = (text: string): BotMessage => ({
  commandId: null,
  text,
  mediaUrl: null,
  options: [],
  style: 'text',
})

/** To the queue and the user of a command, if they exist; without a queue the ticket is escalated. */
function escalateTo(turn: Turn, command: ScriptCommand): null {
  const { queues, userIds } = turn.script.around
  const queueId = command.queueId !== null && queues.has(command.queueId) ? command.queueId : null
  const user = command.commandType === commandTypes.attendant ? command.userId : null
  const userId = user !== null && userIds.has(user) ? user : null
  sendCommand(turn, command, queueId === null ? '' : queues.get(queueId))
  moveTo(turn, command)
  if (queueId === null && userId === null) return leave(turn, 'gone')
  turn.does.push({ kind: 'move', queueId, userId })
  trace(turn, 'handedOver', command)
  Object.assign(turn.state, { mode: 'handed', silentSince: turn.at })
  return null
}

/** Escalates without moving the ticket. */
export function leave(turn: Turn, why: BotNote): null {
  turn.does.push({ kind: 'note', why })
  trace(turn, 'handedOver')
  Object.assign(turn.state, { mode: 'handed', silentSince: turn.at })
  return null
}

export function close(turn: Turn): null {
  turn.does.push({ kind: 'close' })
  trace(turn, 'closed')
  Object.assign(turn.state, { mode: 'over', silentSince: turn.at })
  return null
}

/** Passes the conversation to a prompt, or escalates when the prompt was deleted. */
export function toPrompt(turn: Turn, botConfigId: number | null, { begins }: { begins: boolean }): null {
  if (botConfigId === null || !turn.script.around.botConfigIds.has(botConfigId)) return leave(turn, 'gone')
  turn.state.mode = 'prompt'
  const withText = !turn.trace.some(({ what }) => what === 'chose' || what === 'backToMenu')
  turn.does.push({ kind: 'prompt', botConfigId, begins, withText })
  trace(
    turn,
    'prompt',
    turn.state.commandId === null ? null : (turn.script.byId.get(turn.state.commandId) ?? null),
  )
  return null
}

export const wantsMenu = (turn: Turn): boolean =>
  isBackToMenu(turn.received) && turn.script.setup.botType === 'common'
