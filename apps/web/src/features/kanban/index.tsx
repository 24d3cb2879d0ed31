import { IconLayoutKanban } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followLanes } from './kanban.live.ts'
import { useKanbanMenuText } from './kanban.menu.text.ts'

export const kanban: Feature = {
  live: followLanes,
  screens: [{ path: '/kanban', access: 'private', load: () => import('./kanban-screen.tsx') }],
  menu: [{ path: '/kanban', label: () => useKanbanMenuText.read('kanban'), icon: IconLayoutKanban }],
}
