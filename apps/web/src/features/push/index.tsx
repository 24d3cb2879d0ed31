import type { Feature } from '../../platform/features.ts'
import { soon } from '../../ui/soon.tsx'

/** All of it comes after the first screen. */
export const push: Feature = { Always: soon(() => import('./push-always.tsx')) }
