import type { Feature } from '../../platform/features.ts'

export const leads: Feature = {
  screens: [
    { path: '/store/:planId?', access: 'anyone', load: () => import('./store-screen.tsx') },
    { path: '/subscription/:leadId?', access: 'anyone', load: () => import('./subscription-screen.tsx') },
  ],
}
