import { IconMapPin } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { locationMenuText } from './locations.menu.text.ts'

export const locations: Feature = {
  screens: [
    { path: '/locations/:locationId?', access: 'private', load: () => import('./locations-screen.tsx') },
  ],
  menu: [
    {
      path: '/locations',
      label: () => locationMenuText.read('locations'),
      icon: IconMapPin,
      group: 'administration',
    },
  ],
}
