import { IconSpeakerphone } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followCampaigns } from './campaigns.live.ts'
import { useCampaignMenuText } from './campaigns.menu.text.ts'

export const campaigns: Feature = {
  screens: [
    { path: '/Campaigns', access: 'private', load: () => import('./campaigns-screen.tsx') },
    {
      path: '/CampaignsCreator/:campaignId?',
      access: 'private',
      load: () => import('./creator-screen.tsx'),
    },
    {
      path: '/CampaignsManager/:campaignId?',
      access: 'private',
      load: () => import('./campaign-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/Campaigns',
      label: () => useCampaignMenuText.read('campaigns'),
      icon: IconSpeakerphone,
      needs: 'admin',
      when: user => user.company.enableCampaigns,
    },
  ],
  live: followCampaigns,
}
