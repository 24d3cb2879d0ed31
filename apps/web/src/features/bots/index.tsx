import { IconRobot } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followBots } from './bots.live.ts'
import { useBotMenuText } from './bots.menu.text.ts'

export const bots: Feature = {
  screens: [
    { path: '/BotSetups/:id?', access: 'private', load: () => import('./bot-setups-screen.tsx') },
    { path: '/Bots/:botSetupId?/:botSetupName?', access: 'private', load: () => import('./bot-screen.tsx') },
  ],
  menu: [
    {
      path: '/BotSetups',
      label: () => useBotMenuText.read('bots'),
      icon: IconRobot,
      group: 'administration',
      when: user => user.company.enableBots,
    },
  ],
  live: followBots,
}
