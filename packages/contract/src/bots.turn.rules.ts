import type { BotAct, BotNote, BotTrace } from './bots.acts.ts'
import { isBackToMenu } from './bots.choice.rules.ts'
import { commandTypes } from './bots.commands.ts'
import { type BotFacts, filledUrl, holds, logicOf, nextOf, offeredBy } from './bots.logic.rules.ts'
import { choicesAt, commandAbove, decides, type Script, type ScriptCommand } from './bots.script.rules.ts'
import type { BotState } from './bots.talk.ts'
import { type BotMessage, optionsOf, placeholderValues, styleOf, worded } from './bots.words.rules.ts'
import type { Placeholders } from './placeholders.rules.ts'
import type { TicketStatus } from './tickets.ts'

/** A turn while it is walked. */
export interface Turn {
  script: Script
  state: BotState
  received: string
  at: number
  ticket: BotTicket
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
  tags: { id: number }[]
  /** Of its contact. */
  categoryIds: number[]
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
    case commandTypes.condition:
      return branch(turn, command, holds(logicOf(command), factsOf(turn)))
    case commandTypes.request:
      return request(turn, command)
    case commandTypes.menu:
    case commandTypes.buttons:
      return offer(turn, command)
    default: {
      if (choicesAt(script, command).length > 0) return offer(turn, command)
      sendCommand(turn, command)
      moveTo(turn, menuAbove(script, command))
      return jump(turn, command)
    }
  }
}

export const factsOf = ({ script, ticket, values, state, does, received }: Turn): BotFacts => ({
  isOpen: script.around.isOpen,
  day: values.data,
  time: values.horas,
  tagIds: [
    ...ticket.tags.map(({ id }) => id),
    ...does.flatMap(act => (act.kind === 'tag' ? act.tagIds : [])),
  ],
  categoryIds: [
    ...ticket.categoryIds,
    ...does.flatMap(act => (act.kind === 'categorize' ? act.categoryIds : [])),
  ],
  variables: state.variables,
  answer: received.trim() || (state.answers.at(-1)?.text ?? ''),
})

/** The way of one that decides; where it has none, the first menu is shown. */
export function branch(turn: Turn, command: ScriptCommand, isHolding: boolean): ScriptCommand | null {
  const isRequest = command.commandType === commandTypes.request
  trace(turn, isRequest ? (isHolding ? 'called' : 'calledNot') : isHolding ? 'held' : 'heldNot', command)
  const next = nextOf(turn.script, command, isHolding)
  if (next) return next
  sendMenu(turn, null) || leave(turn, 'empty')
  return null
}

/** Calls another system; the conversation continues with its answer. */
function request(turn: Turn, command: ScriptCommand): ScriptCommand | null {
  const { webhook, id, commandBot } = command
  sendCommand(turn, command)
  if (webhook === null) return branch(turn, command, false)
  const url = filledUrl(webhook, placeholderValues(turn.values, turn.state))
  turn.does.push({ kind: 'ask', url, commandId: id, number: commandBot, answer: turn.received })
  trace(turn, 'calling', command)
  moveTo(turn, command)
  turn.state.mode = 'calling'
  return null
}

function mark({ does, received }: Turn, command: ScriptCommand) {
  const { id, commandBot, commandType, tagIds, categoryIds, webhook } = command
  if (tagIds.length > 0) does.push({ kind: 'tag', tagIds })
  if (categoryIds.length > 0) does.push({ kind: 'categorize', categoryIds })
  if (webhook && commandType !== commandTypes.request)
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

/** A question whose answer leads on: nothing is chosen at it, so it is asked again. */
const asksOnly = (script: Script, command: ScriptCommand) =>
  command.commandType === commandTypes.question && choicesAt(script, command).length === 1

/** Where a conversation is after the end of a branch: a request is not made again by the next word. */
function menuAbove(script: Script, { commandBot }: ScriptCommand): ScriptCommand | null {
  let above = commandAbove(script, commandBot)
  while (above?.commandType === commandTypes.request) above = commandAbove(script, above.commandBot)
  return above
}

/** Sends a menu again, or that of the nearest ancestor that has one. False when there is nothing to send. */
export function sendMenu(turn: Turn, at: ScriptCommand | null): boolean {
  let menu = at
  while (menu && choicesAt(turn.script, menu).length === 0) menu = commandAbove(turn.script, menu.commandBot)
  moveTo(turn, menu)
  if (menu && (decides(menu) || asksOnly(turn.script, menu))) return goTo(turn, menu) === null
  const { setup, around } = turn.script
  if (menu)
    return sendAs(turn, menu, menu.typeMessage === 'flow' ? '' : menu.showMessage) || sendMenu(turn, null)
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
    sendAs(turn, { ...command, mediaUrl: null }, '')
    return
  }
  if (command.typeMessage === 'flow') trace(turn, 'gone', command)
  sendAs(turn, command, command.showMessage.trim() || instead)
}

/** Sends a command with another text; false when there is nothing to see. */
export function sendAs(turn: Turn, command: ScriptCommand, text: string): boolean {
  const { commandType, commandBot, id, mediaUrl } = command
  const asks = new Set<number>([commandTypes.informative, commandTypes.menu, commandTypes.buttons])
  const choices = asks.has(commandType) ? choicesAt(turn.script, command) : []
  return sendBotMessage(turn, {
    commandId: id,
    text,
    mediaUrl,
    options: choices.length > 0 ? optionsOf(choices, commandBot) : optionsOf(offeredBy(command), ''),
    style: styleOf(command, turn.script.setup),
  })
}

/** False when there would be nothing to see. */
export function sendBotMessage(turn: Turn, message: BotMessage): boolean {
  const text = worded(message.text, turn.values, turn.state)
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
