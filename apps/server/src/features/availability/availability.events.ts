import type { Availability, AvailabilityState } from '@balcao/contract/availability.ts'
import { event } from '../../platform/events.ts'

/** Also when only the reason of a pause changed: `state` and `before` are the same then. */
export const availabilityChanged = event<{
  companyId: number
  userId: number
  state: AvailabilityState
  before: AvailabilityState
  availability: Availability
  queueIds: number[]
}>('availability.changed')

/** Inside the transaction that changes availabilities, for work that has to follow in the same commit. */
export const availabilitySettled = event<{
  changes: { userId: number; state: AvailabilityState; before: AvailabilityState }[]
}>('availability.settled')
