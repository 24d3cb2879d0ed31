import type { Feature } from '../../platform/features.ts'
import { followVisits } from './visits.live.ts'

export const visits: Feature = { live: followVisits }
