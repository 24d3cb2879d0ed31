import { type BotCommand, commandTypes } from '@balcao/contract/bots.commands.ts'
import { logicOf } from '@balcao/contract/bots.logic.rules.ts'
import type { Condition } from '@balcao/contract/bots.logic.ts'
import { useCommandText } from './bots.commands.text.ts'
import { useLogicText } from './bots.logic.text.ts'
import { flowOf } from './command-draft.ts'

/** What a command does, in a line: its flow, its message, or what it asks for; `otherwise` where it has none of these. */
export function useCommandWords(): (command: BotCommand, otherwise?: string) => string {
  const t = useCommandText()
  const logic = useLogicText()
  const of = (one: Condition) =>
    one.kind === 'hours'
      ? logic(one.open ? 'within' : 'outside')
      : one.kind === 'variable'
        ? `${one.name} · ${logic(one.how)} ${one.value}`.trim()
        : one.kind === 'answer'
          ? `${logic('answer')} · ${logic(one.how)} ${one.value}`.trim()
          : logic(one.kind)
  return (command, otherwise = '') => {
    const { commandType, showMessage, mediaUrl, webhook } = command
    if (commandType === commandTypes.condition) return logicOf(command).conditions.map(of).join(', ')
    const words = flowOf(command) || showMessage
    if (commandType === commandTypes.request) return words || (webhook ?? '')
    return words || otherwise || t(mediaUrl ? 'file' : 'saysNothing')
  }
}
