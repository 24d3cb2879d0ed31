import { IconBuilding, IconBuildings } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useClientMenuText } from './clients.menu.text.ts'

export const clients: Feature = {
  screens: [
    { path: '/companies', access: 'private', needs: 'master', load: () => import('./clients-screen.tsx') },
    {
      path: '/companiesManager/:companyId?',
      access: 'private',
      needs: 'master',
      load: () => import('./client-screen.tsx'),
    },
    {
      path: '/CreateNewCompany',
      access: 'private',
      needs: 'master',
      load: () => import('./new-client-screen.tsx'),
    },
    {
      path: '/clientCompanyManager',
      access: 'private',
      needs: 'payPanel',
      load: () => import('./own-client-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/clientCompanyManager',
      label: () => useClientMenuText.read('own'),
      icon: IconBuilding,
      group: 'administration',
      needs: 'payPanel',
      when: user => user.payPanelAccess,
    },
    {
      path: '/companies',
      label: () => useClientMenuText.read('companies'),
      icon: IconBuildings,
      group: 'saas',
      needs: 'master',
    },
  ],
}
