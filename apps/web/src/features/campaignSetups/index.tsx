import type { Feature } from '../../platform/features.ts'
import { followCampaignSetups } from './campaignSetups.live.ts'

export const campaignSetups: Feature = {
  screens: [{ path: '/CampaignSetups/:id?', access: 'private', load: () => import('./setups-screen.tsx') }],
  live: followCampaignSetups,
}
