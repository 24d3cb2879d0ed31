import { IconUsers } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { useUserMenuText } from './users.menu.text.ts'
import { UsersAlways } from './users-always.tsx'

export const users: Feature = {
  screens: [
    {
      path: '/users/:id?',
      access: 'private',
      needs: 'administration',
      load: () => import('./users-screen.tsx'),
    },
  ],
  menu: [
    {
      path: '/users',
      label: () => useUserMenuText.read('users'),
      icon: IconUsers,
      group: 'administration',
    },
  ],
  Always: UsersAlways,
}
