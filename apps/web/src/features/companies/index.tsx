import { IconAdjustments, IconAdjustmentsDollar } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useCompanyMenuText } from './companies.menu.text.ts'

export const companies: Feature = {
  screens: [
    {
      path: '/settings',
      access: 'private',
      needs: 'administration',
      load: () => import('./settings-screen.tsx'),
    },
    {
      path: '/saasSettings',
      access: 'private',
      needs: 'master',
      load: () => import('./platform-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/settings',
      label: () => useCompanyMenuText.read('settings'),
      icon: IconAdjustments,
      group: 'administration',
    },
    {
      path: '/saasSettings',
      label: () => useCompanyMenuText.read('platform'),
      icon: IconAdjustmentsDollar,
      group: 'saas',
      needs: 'master',
    },
  ],
}
