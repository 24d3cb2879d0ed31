import type { Feature } from '../../platform/features.ts'
import { routes } from './kanban.routes.ts'

export const kanban: Feature = { name: 'kanban', routes }
