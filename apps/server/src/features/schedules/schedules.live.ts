import { scheduleChannel } from '@balcao/contract/schedules.ts'
import { pushList } from '../../platform/live/live.ts'
import { schedulesChanged } from './schedules.events.ts'

export const live = [pushList(scheduleChannel, schedulesChanged)]
