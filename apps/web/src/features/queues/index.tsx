import { IconStack2 } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followQueues } from './queues.live.ts'
import { useQueueMenuText } from './queues.menu.text.ts'

export const queues: Feature = {
  screens: [
    {
      path: '/queues/:id?/*',
      access: 'private',
      needs: 'administration',
      load: () => import('./queues-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/queues',
      label: () => useQueueMenuText.read('queues'),
      icon: IconStack2,
      group: 'administration',
    },
  ],
  live: followQueues,
}
