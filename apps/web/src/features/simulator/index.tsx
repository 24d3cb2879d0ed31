import type { Feature } from '../../platform/features.ts'

export const simulator: Feature = {
  screens: [
    {
      path: '/simulator/:whatsappId',
      access: 'private',
      alone: true,
      load: () => import('./simulator-screen.tsx'),
    },
  ],
}
