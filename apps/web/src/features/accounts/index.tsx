import type { Feature } from '../../platform/features.ts'

export const accounts: Feature = {
  screens: [
    { path: '/forgot', access: 'public', load: () => import('./forgot-screen.tsx') },
    { path: '/reset', access: 'anyone', load: () => import('./reset-screen.tsx') },
    { path: '/email', access: 'anyone', load: () => import('./email-screen.tsx') },
  ],
}
