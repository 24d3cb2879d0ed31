import { type BotCommand, commandTypes } from '@balcao/contract/bots.commands.ts'
import { BotLogic } from '@balcao/contract/bots.logic.ts'
import { nextNumber } from '@balcao/contract/bots.numbers.rules.ts'
import type { Bot } from './bot-script.ts'
import { saveCommand } from './bots.api.ts'

/**
 * Adds what the bot says outside the hours: a condition that is looked at before the first menu, with its message
 * below. Answers the message. Throws ApiError.
 */
export async function addOutsideHours({ setup, commands }: Bot, showMessage: string): Promise<BotCommand> {
  const numbers = commands.map(({ commandBot }) => commandBot)
  const commandBot = nextNumber(numbers, '')
  const logic = BotLogic.parse({ conditions: [{ kind: 'hours', open: false }] })
  await saveCommand(setup, null, { commandBot, commandType: commandTypes.condition, logic }, null)
  const message = { commandBot: `${commandBot}.1`, commandType: commandTypes.informative, showMessage }
  return saveCommand(setup, null, message, null)
}
