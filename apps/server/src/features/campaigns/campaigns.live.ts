import { campaignChannelOf, campaignsChannel } from '@balcao/contract/campaigns.ts'
import { publish, pushList, type SendPush } from '../../platform/live.ts'
import { campaignsChanged, campaignTold } from './campaigns.events.ts'
import { onlookers } from './campaigns.joins.ts'

type News = NonNullable<typeof campaignTold.payload>

const tell = (companyId: number, { campaignId, told }: News, push: SendPush) =>
  push(campaignChannelOf(campaignId), onlookers(companyId, campaignId), told)

export const live = [pushList(campaignsChannel, campaignsChanged), publish(campaignTold, tell)]
