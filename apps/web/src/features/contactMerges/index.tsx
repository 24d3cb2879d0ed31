import type { Feature } from '../../platform/features.ts'
import { followContactMerges } from './contactMerges.live.ts'

export const contactMerges: Feature = { live: followContactMerges }
