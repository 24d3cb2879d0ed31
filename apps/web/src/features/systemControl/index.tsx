import { IconServerCog } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useSystemMenuText } from './systemControl.menu.text.ts'

export const systemControl: Feature = {
  screens: [
    {
      path: '/installation',
      access: 'private',
      needs: 'master',
      load: () => import('./installation-screen.tsx'),
    },
    {
      path: '/systemControl',
      access: 'private',
      needs: 'master',
      load: () => import('./system-control-screen.tsx'),
    },
    {
      path: '/internalDocs',
      access: 'private',
      needs: 'master',
      load: () => import('./internal-docs-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/systemControl',
      label: () => useSystemMenuText.read('system'),
      icon: IconServerCog,
      group: 'saas',
      needs: 'master',
    },
  ],
}
