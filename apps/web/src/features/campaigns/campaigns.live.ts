import { campaignsChannel } from '@balcao/contract/campaigns.ts'
import { followList } from '../../platform/lists.ts'

export const CAMPAIGNS = ['campaigns']
export const DISPATCHES = ['campaignDispatches']
export const FORECASTS = ['campaignForecast']
export const campaignKey = (campaignId: number) => ['campaign', campaignId]

export const followCampaigns = () => followList(campaignsChannel, CAMPAIGNS)
