import { botConfigs, botSimulator } from '@balcao/contract/botConfigs.ts'
import { serve } from '../../platform/http/routes.ts'
import { addBotConfig, changeBotConfig, offeredModels, removeBotConfig } from './botConfigs.actions.ts'
import { findBotConfig, listAnswers, listBotConfigs } from './botConfigs.queries.ts'
import { sendInTrial, showTrial } from './botConfigs.trials.actions.ts'

export const routes = [
  serve(botConfigs.list, (scope, { query }) => scope.list(tx => listBotConfigs(tx, query))),
  serve(botConfigs.models, (scope, _input, { platform }) => offeredModels(platform, scope.companyId)),
  serve(botConfigs.show, (scope, { params }) => scope.read(tx => findBotConfig(tx, params.botConfigId))),
  serve(botConfigs.create, (scope, { body }) => addBotConfig(scope, body)),
  serve(botConfigs.change, (scope, { params, body }) => changeBotConfig(scope, params.botConfigId, body)),
  serve(botConfigs.remove, async (scope, { params, query }) => {
    await removeBotConfig(scope, params.botConfigId, query.evenIfUsed ?? false)
    return {}
  }),
  serve(botConfigs.answers, (scope, { params, query }) =>
    scope.list(tx => listAnswers(tx, params.botConfigId, query)),
  ),
  serve(botSimulator.show, (scope, { params }, { platform }) =>
    showTrial(platform, scope, params.botConfigId),
  ),
  serve(botSimulator.send, (scope, { body }) => sendInTrial(scope, body)),
]
