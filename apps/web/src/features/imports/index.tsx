import type { Feature } from '../../platform/features.ts'
import { ImportsAlways } from './imports-always.tsx'

export const imports: Feature = { Always: ImportsAlways }
