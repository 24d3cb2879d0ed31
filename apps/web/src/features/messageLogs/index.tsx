import type { Feature } from '../../platform/features.ts'

export const messageLogs: Feature = {
  screens: [
    {
      path: '/messageLogs',
      access: 'private',
      needs: 'master',
      load: () => import('./message-logs-screen.tsx'),
    },
  ],
}
