import type { Feature } from '../../platform/features.ts'

export const auth: Feature = {
  screens: [
    { path: '/login', access: 'public', load: () => import('./login-screen.tsx') },
    { path: '/signup', access: 'public', load: () => import('./signup-screen.tsx') },
  ],
}
