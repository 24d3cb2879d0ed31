import type { OperatorVisit } from '@balcao/contract/visits.ts'
import { event } from '../../platform/events.ts'

export const visitChanged = event<{ visit: OperatorVisit; visitorId: number }>('visit.changed')
