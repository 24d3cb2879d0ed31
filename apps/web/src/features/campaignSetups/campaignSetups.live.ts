import { campaignSetupChannel } from '@balcao/contract/campaignSetups.ts'
import { followList } from '../../platform/lists.ts'

export const CAMPAIGN_SETUPS = ['campaignSetups']

export const followCampaignSetups = () => followList(campaignSetupChannel, CAMPAIGN_SETUPS)
