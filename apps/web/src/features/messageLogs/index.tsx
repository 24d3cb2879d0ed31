import { IconListSearch } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useMessageLogMenuText } from './messageLogs.menu.text.ts'

export const messageLogs: Feature = {
  screens: [
    {
      path: '/messageLogs',
      access: 'private',
      needs: 'master',
      load: () => import('./message-logs-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/messageLogs',
      label: () => useMessageLogMenuText.read('logs'),
      icon: IconListSearch,
      group: 'saas',
      needs: 'master',
    },
  ],
}
