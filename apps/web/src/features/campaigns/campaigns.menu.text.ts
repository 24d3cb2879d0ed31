import { texts } from '../../platform/text.ts'

export const useCampaignMenuText = texts({ campaigns: ['Campanhas', 'Campaigns', 'Campañas'] })
