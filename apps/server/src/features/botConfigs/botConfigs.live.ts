import { botConfigChannel, botSimulatorChannel } from '@balcao/contract/botConfigs.ts'
import { admins, publish, pushList } from '../../platform/live/live.ts'
import { botConfigChanged, trialChanged } from './botConfigs.events.ts'

export const live = [
  pushList(botConfigChannel, botConfigChanged),
  publish(trialChanged, (companyId, { botConfigId, push: news }, push) =>
    push(botSimulatorChannel(botConfigId), admins(companyId), news),
  ),
]
