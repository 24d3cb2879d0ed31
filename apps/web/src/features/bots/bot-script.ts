import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import { type Script, type ScriptCommand, scriptOf } from '@balcao/contract/bots.script.rules.ts'
import type { BotAround } from '@balcao/contract/bots.talk.ts'
import type { BotSetup } from '@balcao/contract/bots.ts'

export interface Bot {
  setup: BotSetup
  commands: BotCommand[]
  around: BotAround
}

/** A bot as the interpreter reads it: the very same that answers customers on the server. */
export const asScript = ({ setup, commands, around }: Bot): Script =>
  scriptOf(setup, commands.map(asScriptCommand), {
    greeting: around.greeting,
    queues: new Map(around.queues.map(({ id, greetingMessage }) => [id, greetingMessage])),
    userIds: new Set(around.userIds),
    flowIds: new Set(around.flowIds),
    botConfigIds: new Set(around.botConfigIds),
  })

const asScriptCommand = ({ tags, categoryContacts, ...command }: BotCommand): ScriptCommand => ({
  ...command,
  tagIds: tags.map(({ id }) => id),
  categoryIds: categoryContacts.map(({ id }) => id),
})
