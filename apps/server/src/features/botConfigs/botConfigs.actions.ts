import { SUGGESTED_MODELS } from '@balcao/contract/botConfigs.rules.ts'
import type { BotConfig, BotConfigInput } from '@balcao/contract/botConfigs.ts'
import type { ModelFailure, OfferedModel } from '@balcao/contract/integrations.ts'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { refuseUsed } from '../../platform/uses.ts'
import { modelsAreOn } from '../companies/companies.queries.ts'
import { endpointFor, modelsOf } from '../integrations/integrations.endpoint.client.ts'
import { holdQueues } from '../queues/queues.queries.ts'
import { botConfigChanged } from './botConfigs.events.ts'
import { insertBotConfig, updateBotConfig } from './botConfigs.queries.ts'

/** Refuses with ERR_NOT_IN_PLAN, ERR_NO_QUEUE_FOUND. */
export const addBotConfig = (scope: Scope, input: BotConfigInput): Promise<BotConfig> =>
  scope.transaction(async tx => {
    await mayBeKept(tx, input)
    const botConfig = await insertBotConfig(tx, input)
    tx.emit(botConfigChanged, { action: 'create', botConfig })
    return botConfig
  })

/** Refuses with ERR_NOT_FOUND, ERR_NOT_IN_PLAN, ERR_NO_QUEUE_FOUND. */
export const changeBotConfig = (
  scope: Scope,
  botConfigId: number,
  input: BotConfigInput,
): Promise<BotConfig> =>
  scope.transaction(async tx => {
    await mayBeKept(tx, input)
    const botConfig = await updateBotConfig(tx, botConfigId, input)
    tx.emit(botConfigChanged, { action: 'update', botConfig })
    return botConfig
  })

/** Its dialogs are escalated at their next turn. Refuses with ERR_NOT_FOUND, ERR_USED_BY_BOTS. */
export const removeBotConfig = (scope: Scope, botConfigId: number, evenIfUsed: boolean): Promise<void> =>
  scope.transaction(async tx => {
    await refuseUsed(tx, 'prompt', botConfigId, evenIfUsed)
    await updateBotConfig(tx, botConfigId, { isDeleted: true })
    tx.emit(botConfigChanged, { action: 'delete', botConfigId })
  })

async function mayBeKept(tx: Tx, { lastQueueId }: BotConfigInput) {
  if (!(await modelsAreOn(tx))) refuse('ERR_NOT_IN_PLAN')
  if (lastQueueId !== null) await holdQueues(tx, [lastQueueId], 'lastQueueId')
}

/** Models to choose from: those of the documents first, then the others of the integration. */
export async function offeredModels(
  platform: Platform,
  companyId: number,
): Promise<{ models: OfferedModel[]; failure: ModelFailure | null }> {
  const endpoint = await endpointFor(platform, companyId)
  if (!endpoint) return { models: SUGGESTED_MODELS, failure: 'none' }
  const found = await modelsOf(platform.outbound, endpoint)
  if ('failure' in found) return { models: SUGGESTED_MODELS, failure: found.failure }
  const names = new Set(SUGGESTED_MODELS.map(({ id }) => id))
  return { models: [...SUGGESTED_MODELS, ...found.models.filter(({ id }) => !names.has(id))], failure: null }
}
