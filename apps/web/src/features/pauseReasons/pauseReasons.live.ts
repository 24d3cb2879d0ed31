import { pauseReasonChannel } from '@balcao/contract/pauseReasons.ts'
import { followList } from '../../platform/lists.ts'

export const PAUSE_REASONS = ['pauseReasons']

export const followPauseReasons = () => followList(pauseReasonChannel, PAUSE_REASONS)
