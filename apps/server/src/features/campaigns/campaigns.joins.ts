import { id } from '@balcao/contract/kit.ts'
import type { Join, Room } from '../../platform/live.ts'
import { askCampaigns } from '../campaignSetups/campaignSetups.queries.ts'
import { lookAt } from './campaigns.queries.ts'

/** Those who have a campaign open. */
export const onlookers = (companyId: number, campaignId: number): Room =>
  `company:${companyId}:campaign:${campaignId}`

/** Whoever opens a campaign of his company hears what happens in it. */
export const campaignJoins: Join[] = [
  {
    emitted: 'joinCampaign',
    room: async (scope, asked) => {
      const wanted = id.safeParse(asked)
      if (!wanted.success) return null
      await scope.read(async tx => {
        await askCampaigns(tx)
        await lookAt(tx, wanted.data)
      })
      return onlookers(scope.companyId, wanted.data)
    },
  },
]
