import type { Feature } from '../../platform/features.ts'
import { carriedOfCampaignSetups } from './campaignSetups.carried.queries.ts'
import { live } from './campaignSetups.live.ts'
import { reacts } from './campaignSetups.reacts.ts'
import { routes } from './campaignSetups.routes.ts'
import { sealedOfCampaigns } from './campaignSetups.table.ts'

export const campaignSetups: Feature = {
  name: 'campaignSetups',
  routes,
  live,
  reacts,
  jobs: [...sealedOfCampaigns, ...carriedOfCampaignSetups],
}
