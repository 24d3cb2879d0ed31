import { IconTrendingUp } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useRevenueMenuText } from './revenue.menu.text.ts'

export const revenue: Feature = {
  screens: [
    {
      path: '/revenue/:part?',
      access: 'private',
      needs: 'master',
      load: () => import('./revenue-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/revenue',
      label: () => useRevenueMenuText.read('revenue'),
      icon: IconTrendingUp,
      group: 'saas',
      needs: 'master',
    },
  ],
}
