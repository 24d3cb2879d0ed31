import type { Feature } from '../../platform/features.ts'

/** Reached from the system control and from the schedules (OP-49). */
export const scheduledActions: Feature = {
  screens: [
    {
      path: '/scheduleAction',
      access: 'private',
      needs: 'admin',
      load: () => import('./scheduled-actions-screen.tsx'),
    },
  ],
}
