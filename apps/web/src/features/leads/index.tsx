import type { Feature } from '../../platform/features.ts'

export const leads: Feature = {
  screens: [
    { path: '/store/:planId?', access: 'outside' },
    { path: '/subscription/:leadId?', access: 'outside' },
  ],
}
