import { scheduleChannel } from '@balcao/contract/schedules.ts'
import { followList } from '../../platform/lists.ts'

export const SCHEDULES = ['schedules']

export const followSchedules = () => followList(scheduleChannel, SCHEDULES)
