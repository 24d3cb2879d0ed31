import { pauseReasonChannel } from '@balcao/contract/pauseReasons.ts'
import { pushList } from '../../platform/live/live.ts'
import { pauseReasonChanged } from './pauseReasons.events.ts'

export const live = [pushList(pauseReasonChannel, pauseReasonChanged)]
