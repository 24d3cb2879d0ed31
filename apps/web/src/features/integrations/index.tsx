import type { Feature } from '../../platform/features.ts'

/** Reached from the prompts (OP-49). */
export const integrations: Feature = {
  screens: [
    {
      path: '/integration/:id?',
      access: 'private',
      needs: 'master',
      load: () => import('./integrations-screen.tsx'),
    },
  ],
}
