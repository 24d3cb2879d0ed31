import { closingReasonChannel } from '@balcao/contract/closingReasons.ts'
import { pushList } from '../../platform/live/live.ts'
import { closingReasonChanged } from './closingReasons.events.ts'

export const live = [pushList(closingReasonChannel, closingReasonChanged)]
