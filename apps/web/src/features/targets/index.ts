import type { Feature } from '../../platform/features.ts'
import { followTargets } from './targets.live.ts'

export const targets: Feature = { live: followTargets }
