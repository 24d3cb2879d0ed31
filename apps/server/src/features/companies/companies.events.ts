import { event } from '../../platform/events.ts'

export const companyChanged = event<Record<never, never>>('company.changed')
