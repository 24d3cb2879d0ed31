import type { Feature } from '../../platform/features.ts'
import { followContactSheets } from './contactSheets.live.ts'

export const contactSheets: Feature = { live: followContactSheets }
