import { type BotCommand, commandTypes } from '@balcao/contract/bots.commands.ts'
import { nextNumber } from '@balcao/contract/bots.numbers.rules.ts'
import type { Bot } from './bot-script.ts'

/** The id of a command that is not saved yet: of two with one number the older counts, so it is the youngest. */
export const NEW = Number.MAX_SAFE_INTEGER

/** A command that is about to be added, behind those that stand below another ('' is the beginning). */
export const newBelow = ({ setup, commands }: Bot, above: string): BotCommand => ({
  id: NEW,
  botSetupId: setup.id,
  commandBot: nextNumber(
    commands.map(({ commandBot }) => commandBot),
    above,
  ),
  commandType: commandTypes.informative,
  descriptionBot: '',
  showMessage: '',
  mediaUrl: null,
  mediaName: '',
  webhook: null,
  userId: null,
  queueId: null,
  tags: [],
  categoryContacts: [],
  typeMessage: 'singleMessage',
  flowId: null,
  flow: null,
  botConfigId: null,
  botConfig: null,
  forceNextFlow: '',
})

/** The flow that speaks instead of the message; empty where none does. */
export const flowOf = ({ typeMessage, flow }: BotCommand): string =>
  (typeMessage === 'flow' && flow?.name) || ''
