import { IconMapPin } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useLocationMenuText } from './locations.menu.text.ts'

export const locations: Feature = {
  screens: [
    { path: '/locations/:id?', access: 'private', load: () => import('./locations-screen.tsx') },
    { path: '/maps', access: 'private', load: () => import('./maps-screen.tsx') },
  ],
  menu: [
    {
      path: '/locations',
      label: () => useLocationMenuText.read('locations'),
      icon: IconMapPin,
      group: 'administration',
    },
  ],
}
