import { IconPlugConnected } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { AttentionMark } from './attention-mark.tsx'
import { followConnections } from './connections.live.ts'
import { useConnectionMenuText } from './connections.menu.text.ts'

export const connections: Feature = {
  screens: [{ path: '/connections/:id?', access: 'private', load: () => import('./connections-screen.tsx') }],
  menu: [
    {
      path: '/connections',
      label: () => useConnectionMenuText.read('connections'),
      icon: IconPlugConnected,
      group: 'company',
      Mark: AttentionMark,
    },
  ],
  live: followConnections,
}
