import { type BotCommand, commandTypes } from '@balcao/contract/bots.commands.ts'
import { nextNumber } from '@balcao/contract/bots.numbers.rules.ts'
import type { Bot } from './bot-script.ts'

/** The id of a command that is not saved yet: of two with one number the older counts, so it is the youngest. */
export const NEW = Number.MAX_SAFE_INTEGER

/** A command about to be added as the last child of another ('' is the root). */
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
  logic: null,
})

/** The flow that is sent instead of the message; empty where there is none. */
export const flowOf = ({ typeMessage, flow }: BotCommand): string =>
  (typeMessage === 'flow' && flow?.name) || ''
