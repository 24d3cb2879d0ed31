import { IconFlagCheck } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followClosingReasons } from './closingReasons.live.ts'
import { useClosingReasonMenuText } from './closingReasons.menu.text.ts'

export const closingReasons: Feature = {
  screens: [
    { path: '/closingReasons/:id?', access: 'private', load: () => import('./closing-reasons-screen.tsx') },
  ],
  menu: [
    {
      path: '/closingReasons',
      label: () => useClosingReasonMenuText.read('closingReasons'),
      icon: IconFlagCheck,
      group: 'administration',
    },
  ],
  live: followClosingReasons,
}
