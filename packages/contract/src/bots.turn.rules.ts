import { commandTypes } from './bots.commands.ts'
import { isBackToMenu } from './bots.heard.rules.ts'
import { choicesAt, commandAbove, type Script, type ScriptCommand } from './bots.script.rules.ts'
import type { BotState } from './bots.talk.ts'
import { type BotSaid, optionsOf, worded } from './bots.words.rules.ts'
import type { Placeholders } from './placeholders.rules.ts'
import type { TicketStatus } from './tickets.ts'

/** Why people are asked to go on: somebody opposite is a machine, nothing was understood, or what was named is gone. */
export type BotNote = 'machine' | 'errors' | 'gone' | 'empty'

/** What happens by a turn, in this order. */
export type BotAct =
  | ({ kind: 'say' } & BotSaid)
  | { kind: 'flow'; flowId: number; commandId: number }
  | { kind: 'tag'; tagIds: number[] }
  | { kind: 'categorize'; categoryIds: number[] }
  | { kind: 'webhook'; url: string; commandId: number; number: string; answer: string }
  | { kind: 'move'; queueId: number | null; userId: number | null }
  | { kind: 'close' }
  /** The model answers; `begins`: a dialog is opened; `hears`: what was written is for the model, it chose nothing. */
  | { kind: 'prompt'; botConfigId: number; begins: boolean; hears: boolean }
  | { kind: 'endPrompt' }
  /** A sentence on the ticket: from here on it is for people. */
  | { kind: 'note'; why: BotNote }

/** One step of the reasoning, for whoever tries a bot. */
export interface BotTrace {
  what:
    | 'began'
    | 'backToMenu'
    | 'chose'
    | 'answered'
    | 'jumped'
    | 'misunderstood'
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
  heard: string
  at: number
  values: Placeholders
  does: BotAct[]
  trace: BotTrace[]
  reached: number[]
}

/** Where a ticket stands, as far as a bot asks. */
export interface BotTicket {
  status: TicketStatus
  isGroup: boolean
  queueId: number | null
}

/** A turn that goes in a circle by itself, or on and on, ends there. */
const MOST_STEPS = 50

export const tell = (turn: Turn, what: BotTrace['what'], command: ScriptCommand | null = null) =>
  turn.trace.push({ what, commandId: command?.id ?? null, number: command?.commandBot ?? '' })

/** Goes to a command, and on to whatever it leads to by itself. */
export function goTo(turn: Turn, first: ScriptCommand): null {
  const passed = new Set<number>()
  let next: ScriptCommand | null = first
  while (next) {
    if (passed.has(next.id) || passed.size === MOST_STEPS) {
      tell(turn, 'circle', next)
      standAt(turn, null)
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
      return handOver(turn, command)
    case commandTypes.resolve:
      say(turn, command)
      return close(turn)
    case commandTypes.question:
      say(turn, command)
      standAt(turn, command)
      state.mode = 'question'
      return null
    case commandTypes.prompt:
      say(turn, command)
      standAt(turn, command)
      return toPrompt(turn, command.botConfigId, true)
    case commandTypes.menu:
    case commandTypes.buttons:
      return offer(turn, command)
    default: {
      if (choicesAt(script, command).length > 0) return offer(turn, command)
      say(turn, command)
      standAt(turn, commandAbove(script, command.commandBot))
      return jump(turn, command)
    }
  }
}

function mark({ does, heard }: Turn, { id, commandBot, tagIds, categoryIds, webhook }: ScriptCommand) {
  if (tagIds.length > 0) does.push({ kind: 'tag', tagIds })
  if (categoryIds.length > 0) does.push({ kind: 'categorize', categoryIds })
  if (webhook) does.push({ kind: 'webhook', url: webhook, commandId: id, number: commandBot, answer: heard })
}

/** The command that `forceNextFlow` names; one that is gone leads nowhere. */
export function jump(turn: Turn, { forceNextFlow }: ScriptCommand): ScriptCommand | null {
  if (forceNextFlow === '') return null
  const next = turn.script.byNumber.get(forceNextFlow) ?? null
  tell(turn, next ? 'jumped' : 'gone', next)
  return next
}

export function standAt({ state }: Turn, command: ScriptCommand | null): void {
  state.mode = 'menu'
  state.commandId = command?.id ?? null
  state.number = command?.commandBot ?? ''
}

/** A menu says itself and waits for a choice; one in which nothing can be chosen informs, and leads back above. */
function offer(turn: Turn, command: ScriptCommand): null {
  const empty = choicesAt(turn.script, command).length === 0
  standAt(turn, empty ? commandAbove(turn.script, command.commandBot) : command)
  say(turn, command)
  return null
}

/** Says a menu again, or that of the nearest command above which has one. False when there is nothing to say. */
export function sayMenu(turn: Turn, at: ScriptCommand | null): boolean {
  let menu = at
  while (menu && choicesAt(turn.script, menu).length === 0) menu = commandAbove(turn.script, menu.commandBot)
  standAt(turn, menu)
  const { setup, around } = turn.script
  if (menu) return put(turn, menu, menu.typeMessage === 'flow' ? '' : menu.showMessage) || sayMenu(turn, null)
  return utter(turn, {
    commandId: null,
    text: around.greeting,
    mediaUrl: null,
    options: optionsOf(choicesAt(turn.script, null), ''),
    style: setup.typeMenu,
  })
}

/** What a command says: its flow, or its message with its file; below them what can be chosen. */
function say(turn: Turn, command: ScriptCommand, instead = ''): void {
  const { flowIds } = turn.script.around
  if (command.typeMessage === 'flow' && command.flowId !== null && flowIds.has(command.flowId)) {
    turn.does.push({ kind: 'flow', flowId: command.flowId, commandId: command.id })
    put(turn, { ...command, mediaUrl: null }, '')
    return
  }
  if (command.typeMessage === 'flow') tell(turn, 'gone', command)
  put(turn, command, command.showMessage.trim() || instead)
}

function put(turn: Turn, command: ScriptCommand, text: string): boolean {
  const { commandType, commandBot, id, mediaUrl } = command
  const asks = new Set<number>([commandTypes.informative, commandTypes.menu, commandTypes.buttons])
  const choices = asks.has(commandType) ? choicesAt(turn.script, command) : []
  return utter(turn, {
    commandId: id,
    text,
    mediaUrl,
    options: optionsOf(choices, commandBot),
    style: commandType === commandTypes.buttons ? 'buttons' : turn.script.setup.typeMenu,
  })
}

/** False when there would be nothing to see. */
export function utter(turn: Turn, said: BotSaid): boolean {
  const text = worded(said.text, turn.values, turn.state.answers)
  if (text.trim() === '' && said.mediaUrl === null && said.options.length === 0) return false
  turn.does.push({ kind: 'say', ...said, text })
  return true
}

export const plainly = (text: string): BotSaid => ({
  commandId: null,
  text,
  mediaUrl: null,
  options: [],
  style: 'text',
})

/** To the queue and the person of a command, as far as they are there; without a queue people are asked to look. */
function handOver(turn: Turn, command: ScriptCommand): null {
  const { queues, userIds } = turn.script.around
  const queueId = command.queueId !== null && queues.has(command.queueId) ? command.queueId : null
  const user = command.commandType === commandTypes.attendant ? command.userId : null
  const userId = user !== null && userIds.has(user) ? user : null
  say(turn, command, queueId === null ? '' : queues.get(queueId))
  standAt(turn, command)
  if (queueId === null && userId === null) return leave(turn, 'gone')
  turn.does.push({ kind: 'move', queueId, userId })
  tell(turn, 'handedOver', command)
  Object.assign(turn.state, { mode: 'handed', silentSince: turn.at })
  return null
}

/** Leaves the ticket where it is, for people to see to. */
export function leave(turn: Turn, why: BotNote): null {
  turn.does.push({ kind: 'note', why })
  tell(turn, 'handedOver')
  Object.assign(turn.state, { mode: 'handed', silentSince: turn.at })
  return null
}

export function close(turn: Turn): null {
  turn.does.push({ kind: 'close' })
  tell(turn, 'closed')
  Object.assign(turn.state, { mode: 'over', silentSince: turn.at })
  return null
}

/** Gives the word to a prompt; one that is gone, to people. */
export function toPrompt(turn: Turn, botConfigId: number | null, begins: boolean): null {
  if (botConfigId === null || !turn.script.around.botConfigIds.has(botConfigId)) return leave(turn, 'gone')
  turn.state.mode = 'prompt'
  const hears = !turn.trace.some(({ what }) => what === 'chose' || what === 'backToMenu')
  turn.does.push({ kind: 'prompt', botConfigId, begins, hears })
  tell(
    turn,
    'prompt',
    turn.state.commandId === null ? null : (turn.script.byId.get(turn.state.commandId) ?? null),
  )
  return null
}

export const wantsMenu = (turn: Turn): boolean =>
  isBackToMenu(turn.heard) && turn.script.setup.botType === 'common'
