import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import type { BotAround } from '@balcao/contract/bots.talk.ts'
import type { BotSetup } from '@balcao/contract/bots.ts'
import type { Tx } from '../../platform/scope.ts'
import { knownPrompts } from '../botConfigs/botConfigs.queries.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { knownFlows } from '../flows/flows.queries.ts'
import { selectQueues } from '../queues/queues.queries.ts'
import { knownUsers } from './bots.checks.ts'

/** What a bot points to, as far as it is there; the greeting is that of the connection. */
export async function aroundOf(
  tx: Tx,
  setup: BotSetup,
  commands: Pick<BotCommand, 'userId' | 'flowId' | 'botConfigId'>[],
  whatsappId: number | null,
): Promise<BotAround> {
  const idsIn = (field: 'userId' | 'flowId' | 'botConfigId') => [
    ...new Set(commands.flatMap(command => command[field] ?? [])),
  ]
  const prompts = [...idsIn('botConfigId'), ...(setup.botConfigId === null ? [] : [setup.botConfigId])]
  const userIds = idsIn('userId')
  return {
    greeting: whatsappId === null ? '' : (await findConnection(tx, whatsappId)).greetingMessage,
    queues: (await selectQueues(tx)).map(({ id, greetingMessage }) => ({ id, greetingMessage })),
    userIds: userIds.length > 0 ? await knownUsers(tx, userIds) : [],
    flowIds: await knownFlows(tx, idsIn('flowId')),
    botConfigIds: await knownPrompts(tx, prompts),
  }
}
