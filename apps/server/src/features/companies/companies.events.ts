import { event } from '../../platform/events.ts'

/** The plan of a company, which has its limits, was written; within the commit. `days`: to choose what rests. */
export const limitsWritten = event<{ days: number }>('company.limitsWritten')

/** The clock of the company, by which its hours are meant, is another; within the commit. */
export const zoneChanged = event<Record<never, never>>('company.zoneChanged')

export const companyChanged = event<Record<never, never>>('company.changed')
