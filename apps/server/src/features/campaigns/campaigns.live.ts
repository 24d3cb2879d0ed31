import { campaignChannelOf, campaignsChannel } from '@balcao/contract/campaigns.ts'
import { id } from '@balcao/contract/kit.ts'
import type { PayloadOf } from '../../platform/events.ts'
import { join, publish, pushList, type Room, type SendPush } from '../../platform/live/live.ts'
import { requireCampaigns } from '../campaignSetups/campaignSetups.queries.ts'
import { campaignProgressed, campaignsChanged } from './campaigns.events.ts'
import { findCampaignRow } from './campaigns.queries.ts'

/** Sockets that have a campaign open. */
const campaignRoom = (companyId: number, campaignId: number): Room =>
  `company:${companyId}:campaign:${campaignId}`

type Progress = PayloadOf<typeof campaignProgressed>

const pushProgress = (companyId: number, { campaignId, push: news }: Progress, push: SendPush) =>
  push(campaignChannelOf(campaignId), campaignRoom(companyId, campaignId), news)

export const live = [
  pushList(campaignsChannel, campaignsChanged),
  publish(campaignProgressed, pushProgress),
  join('joinCampaign', {
    async room(scope, asked) {
      const wanted = id.safeParse(asked)
      if (!wanted.success) return null
      await scope.read(async tx => {
        await requireCampaigns(tx)
        await findCampaignRow(tx, wanted.data)
      })
      return campaignRoom(scope.companyId, wanted.data)
    },
  }),
]
