import { IconPlugConnected } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { AttentionMark } from './attention-mark.tsx'
import { connectionText } from './connections.text.ts'
import { ConnectionsAlways } from './connections-always.tsx'

export const connections: Feature = {
  screens: [{ path: '/connections', access: 'private', load: () => import('./connections-screen.tsx') }],
  menu: [
    {
      path: '/connections',
      label: () => connectionText.read('connections'),
      icon: IconPlugConnected,
      group: 'company',
      Mark: AttentionMark,
    },
  ],
  Always: ConnectionsAlways,
}
