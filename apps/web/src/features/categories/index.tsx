import type { Feature } from '../../platform/features.ts'
import { followCategories } from './categories.live.ts'

export const categories: Feature = {
  screens: [
    {
      path: '/CategoryContact/:id?',
      access: 'private',
      needs: 'contacts:createCategories',
      instead: '/contacts',
      load: () => import('./categories-screen.tsx'),
    },
  ],
  live: followCategories,
}
