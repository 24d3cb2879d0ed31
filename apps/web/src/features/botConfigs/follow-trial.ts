import { botSimulatorChannel, type TrialPush } from '@balcao/contract/botConfigs.ts'
import { listen } from '../../platform/live.ts'

/** Subscribes to the trial of a prompt; answers the function that unsubscribes. */
export const followTrial = (botConfigId: number, onPush: (push: TrialPush) => void) =>
  listen(botSimulatorChannel(botConfigId), onPush)
