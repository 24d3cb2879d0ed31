import { botSimulatorChannel, type TrialPush } from '@balcao/contract/botConfigs.ts'
import { listen } from '../../platform/live.ts'

/** Hears the simulator of a prompt until the answered function is called. */
export const followTrial = (botConfigId: number, hear: (push: TrialPush) => void) =>
  listen(botSimulatorChannel(botConfigId), hear)
