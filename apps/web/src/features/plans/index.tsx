import { IconReceipt } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followPlans } from './plans.live.ts'
import { usePlanMenuText } from './plans.menu.text.ts'

export const plans: Feature = {
  screens: [
    { path: '/plans/:id?', access: 'private', needs: 'master', load: () => import('./plans-screen.tsx') },
  ],
  menu: [
    {
      path: '/plans',
      label: () => usePlanMenuText.read('plans'),
      icon: IconReceipt,
      group: 'saas',
      needs: 'master',
    },
  ],
  live: () => followPlans(),
}
