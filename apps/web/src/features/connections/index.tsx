import { IconPlugConnected } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { AttentionMark } from './attention-mark.tsx'
import { connectionMenuText } from './connections.menu.text.ts'
import { ConnectionsAlways } from './connections-always.tsx'

export const connections: Feature = {
  screens: [{ path: '/connections', access: 'private', load: () => import('./connections-screen.tsx') }],
  menu: [
    {
      path: '/connections',
      label: () => connectionMenuText.read('connections'),
      icon: IconPlugConnected,
      group: 'company',
      Mark: AttentionMark,
    },
  ],
  Always: ConnectionsAlways,
}
