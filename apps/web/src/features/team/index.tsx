import { IconUsersGroup } from '@tabler/icons-react'
import type { Feature } from '../../platform/features.ts'
import { followTeam } from './team.live.ts'
import { useTeamMenuText } from './team.menu.text.ts'

export const team: Feature = {
  screens: [{ path: '/team', access: 'private', load: () => import('./team-screen.tsx') }],
  menu: [
    {
      path: '/team',
      label: () => useTeamMenuText.read('team'),
      icon: IconUsersGroup,
      group: 'administration',
      needs: 'team',
    },
  ],
  live: followTeam,
}
