import type { Feature } from '../../platform/features.ts'
import { followInvitations } from './invitations.live.ts'

export const invitations: Feature = {
  screens: [
    {
      path: '/invitations/:id?',
      access: 'private',
      needs: 'administration',
      load: () => import('./invitations-screen.tsx'),
    },
    { path: '/invitation', access: 'anyone', load: () => import('./invitation-screen.tsx') },
  ],
  live: followInvitations,
}
