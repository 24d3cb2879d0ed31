import type { Feature } from '../../platform/features.ts'
import { followWebhooks } from './webhooks.live.ts'

/** Reached from the description of the API and from its tokens. */
export const webhooks: Feature = {
  screens: [
    {
      path: '/webhooks/:id?',
      access: 'private',
      needs: 'webhooks',
      load: () => import('./webhooks-screen.tsx'),
    },
  ],
  live: followWebhooks,
}
