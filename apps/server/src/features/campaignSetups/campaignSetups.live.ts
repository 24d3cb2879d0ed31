import { campaignSetupChannel } from '@balcao/contract/campaignSetups.ts'
import { pushList } from '../../platform/live.ts'
import { setupChanged } from './campaignSetups.events.ts'

export const live = [pushList(campaignSetupChannel, setupChanged)]
