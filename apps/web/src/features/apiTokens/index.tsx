import type { Feature } from '../../platform/features.ts'
import { followApiTokens } from './apiTokens.live.ts'

/** Reached from the description of the API. */
export const apiTokens: Feature = {
  screens: [
    { path: '/apisendmessage/:id?', access: 'private', load: () => import('./api-tokens-screen.tsx') },
  ],
  live: followApiTokens,
}
