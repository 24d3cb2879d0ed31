import { type BotCommand, commandTypes } from './bots.commands.ts'
import { inNumberOrder, numberAbove } from './bots.numbers.rules.ts'
import type { BotAround } from './bots.talk.ts'
import type { BotSetup } from './bots.ts'
import { may, type Viewer } from './permissions.rules.ts'

/** A command as the interpreter reads it. */
export type ScriptCommand = Pick<
  BotCommand,
  | 'id'
  | 'commandBot'
  | 'commandType'
  | 'descriptionBot'
  | 'showMessage'
  | 'mediaUrl'
  | 'webhook'
  | 'userId'
  | 'queueId'
  | 'typeMessage'
  | 'flowId'
  | 'botConfigId'
  | 'forceNextFlow'
  | 'logic'
> & { tagIds: number[]; categoryIds: number[] }

export type ScriptSetup = Pick<
  BotSetup,
  | 'countErrorsBot'
  | 'messageOnErrorsBot'
  | 'typeMenu'
  | 'reopenBotAfterHours'
  | 'actionWithoutQueue'
  | 'messageOnWithoutQueue'
  | 'transferQueueId'
  | 'botType'
  | 'botConfigId'
>

/** What commands may point to, as far as it is still there. */
export interface BotSurroundings {
  /** Sent before the first menu: the connection's greeting. */
  greeting: string
  /** The greetings of the queues, by queue. */
  queues: Map<number, string>
  userIds: Set<number>
  flowIds: Set<number>
  botConfigIds: Set<number>
  /** Null where the company has no hours. */
  isOpen: boolean | null
}

/** The same as it travels. */
export const surroundingsOf = ({
  greeting,
  queues,
  userIds,
  flowIds,
  botConfigIds,
  isOpen,
}: BotAround): BotSurroundings => ({
  greeting,
  queues: new Map(queues.map(({ id, greetingMessage }) => [id, greetingMessage])),
  userIds: new Set(userIds),
  flowIds: new Set(flowIds),
  botConfigIds: new Set(botConfigIds),
  isOpen,
})

/** A command as it is shown, as the interpreter reads it. */
export const scriptCommandOf = ({ tags, categoryContacts, ...command }: BotCommand): ScriptCommand => ({
  ...command,
  tagIds: tags.map(({ id }) => id),
  categoryIds: categoryContacts.map(({ id }) => id),
})

/** A bot prepared for a turn: its commands by id and number, and the children of each. */
export interface Script {
  setup: ScriptSetup
  around: BotSurroundings
  commands: ScriptCommand[]
  byId: Map<number, ScriptCommand>
  byNumber: Map<string, ScriptCommand>
  /** In order; of those whose own parent is gone with the nearest that is left. The beginning is ''. */
  below: Map<string, ScriptCommand[]>
}

/** Of two commands with one number the older counts. */
export function scriptOf(setup: ScriptSetup, given: ScriptCommand[], around: BotSurroundings): Script {
  const byNumber = new Map<string, ScriptCommand>()
  for (const command of [...given].sort((a, b) => a.id - b.id))
    if (!byNumber.has(command.commandBot)) byNumber.set(command.commandBot, command)
  const commands = [...byNumber.values()].sort((a, b) => inNumberOrder(a.commandBot, b.commandBot))
  const below = new Map<string, ScriptCommand[]>()
  for (const command of commands) {
    const above = nearestAbove(byNumber, command.commandBot)
    below.set(above, [...(below.get(above) ?? []), command])
  }
  return {
    setup,
    around,
    commands,
    byId: new Map(commands.map(command => [command.id, command])),
    byNumber,
    below,
  }
}

function nearestAbove(byNumber: Map<string, ScriptCommand>, number: string): string {
  let above = numberAbove(number)
  while (above !== '' && !byNumber.has(above)) above = numberAbove(above)
  return above
}

/** What may be chosen at a command, or at the beginning (null). */
export const choicesAt = (script: Script, at: ScriptCommand | null): ScriptCommand[] =>
  script.below.get(at?.commandBot ?? '') ?? []

/** Whether it leads on by what it finds out: nothing is chosen at it, it is entered again. */
export const decides = ({ commandType }: ScriptCommand): boolean =>
  commandType === commandTypes.condition || commandType === commandTypes.request

/** The first level: conditions without a name beside other commands are looked at before the first menu. */
export function firstLevel(script: Script): { gates: ScriptCommand[]; roots: ScriptCommand[] } {
  const all = choicesAt(script, null)
  const roots = all.filter(
    one => one.commandType !== commandTypes.condition || one.descriptionBot.trim() !== '',
  )
  return roots.length === 0
    ? { gates: [], roots: all }
    : { gates: all.filter(one => !roots.includes(one)), roots }
}

/** The command above; null is the beginning. */
export const commandAbove = (script: Script, number: string): ScriptCommand | null =>
  script.byNumber.get(nearestAbove(script.byNumber, number)) ?? null

/** The current command of a conversation, by id even when moved, or the nearest remaining ancestor of a deleted one. */
export const currentCommand = (
  script: Script,
  { commandId, number }: { commandId: number | null; number: string },
): ScriptCommand | null =>
  commandId === null ? null : (script.byId.get(commandId) ?? commandAbove(script, number))

/** Who may change a bot, delete it and manage its commands: admins and its owner (automation §6). */
export const mayManageBot = (viewer: Viewer, { userId }: Pick<BotSetup, 'userId'>): boolean =>
  may(viewer, 'admin') || userId === viewer.id
