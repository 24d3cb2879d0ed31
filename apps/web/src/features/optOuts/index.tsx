import type { Feature } from '../../platform/features.ts'
import { followOptOuts } from './optOuts.live.ts'

export const optOuts: Feature = { live: followOptOuts }
