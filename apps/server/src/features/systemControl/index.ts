import type { Feature } from '../../platform/features.ts'
import { routes } from './systemControl.routes.ts'

export const systemControl: Feature = { name: 'systemControl', routes }
