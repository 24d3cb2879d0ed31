import type { Feature } from '../../platform/features.ts'
import { UsersAlways } from './users-always.tsx'

export const users: Feature = { Always: UsersAlways }
