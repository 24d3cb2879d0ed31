import type { Feature } from '../../platform/features.ts'

/** The tickets and the tags lead to it (OP-49). */
export const kanban: Feature = {
  screens: [{ path: '/kanban', access: 'private', load: () => import('./kanban-screen.tsx') }],
}
