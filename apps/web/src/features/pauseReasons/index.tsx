import { IconCoffee } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followPauseReasons } from './pauseReasons.live.ts'
import { usePauseReasonMenuText } from './pauseReasons.menu.text.ts'

export const pauseReasons: Feature = {
  screens: [
    { path: '/pauseReasons/:id?', access: 'private', load: () => import('./pause-reasons-screen.tsx') },
  ],
  menu: [
    {
      path: '/pauseReasons',
      label: () => usePauseReasonMenuText.read('pauseReasons'),
      icon: IconCoffee,
      group: 'administration',
      needs: 'team',
    },
  ],
  live: followPauseReasons,
}
