import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import { type Script, scriptCommandOf, scriptOf, surroundingsOf } from '@balcao/contract/bots.script.rules.ts'
import type { BotAround } from '@balcao/contract/bots.talk.ts'
import type { BotSetup } from '@balcao/contract/bots.ts'

export interface Bot {
  setup: BotSetup
  commands: BotCommand[]
  around: BotAround
}

/** A bot as the interpreter reads it: the very same that answers customers on the server. */
export const asScript = ({ setup, commands, around }: Bot): Script =>
  scriptOf(setup, commands.map(scriptCommandOf), surroundingsOf(around))
