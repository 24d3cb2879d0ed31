import type { Feature } from '../../platform/features.ts'
import { routes } from './companies.routes.ts'

export const companies: Feature = { name: 'companies', routes }
