import { IconSparkles } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followBotConfigs } from './botConfigs.live.ts'
import { useBotConfigMenuText } from './botConfigs.menu.text.ts'

export const botConfigs: Feature = {
  screens: [
    {
      path: '/botConfig/:id?',
      access: 'private',
      needs: 'administration',
      load: () => import('./bot-configs-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/botConfig',
      label: () => useBotConfigMenuText.read('ai'),
      icon: IconSparkles,
      group: 'administration',
      needs: 'administration',
      enabled: user => user.company.plan[0]?.iaIntegrationEnabled === true,
    },
  ],
  live: followBotConfigs,
}
