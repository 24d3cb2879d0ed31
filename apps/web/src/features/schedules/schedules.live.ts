import { scheduleChannel } from '@balcao/contract/schedules.ts'
import { followList } from '../../platform/lists.ts'
import { SCHEDULES } from './schedules.api.ts'

export const followSchedules = () => followList(scheduleChannel, SCHEDULES)
