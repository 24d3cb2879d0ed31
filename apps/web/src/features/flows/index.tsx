import { IconRoute } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followFlows } from './flows.live.ts'
import { useFlowMenuText } from './flows.menu.text.ts'

export const flows: Feature = {
  screens: [
    { path: '/flowList', access: 'private', load: () => import('./flow-list-screen.tsx') },
    { path: '/flowmanager/:flowId?', access: 'private', load: () => import('./flow-editor-screen.tsx') },
  ],
  menu: [
    {
      path: '/flowList',
      label: () => useFlowMenuText.read('flows'),
      icon: IconRoute,
      group: 'administration',
      enabled: user => user.company.plan[0]?.enableFlows ?? false,
    },
  ],
  live: followFlows,
}
