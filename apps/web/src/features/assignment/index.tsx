import type { Feature } from '../../platform/features.ts'
import { followAssignments } from './assignment.live.ts'

export const assignment: Feature = { live: followAssignments }
