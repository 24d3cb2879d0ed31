import type { Feature } from '../../platform/features.ts'
import { followPermissions } from './permissions.live.ts'

/** Reached from the users, so it has no entry of its own in the menu. */
export const permissions: Feature = {
  screens: [
    {
      path: '/UserAuthorizations/:id?',
      access: 'private',
      needs: 'administration',
      load: () => import('./permissions-screen.tsx'),
    },
  ],
  live: followPermissions,
}
