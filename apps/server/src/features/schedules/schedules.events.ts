import type { Push } from '@balcao/contract/kit.ts'
import type { scheduleChannel } from '@balcao/contract/schedules.ts'
import { event } from '../../platform/events.ts'

export const schedulesChanged = event<Push<typeof scheduleChannel>>('schedules.changed')
