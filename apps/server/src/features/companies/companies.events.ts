import { event } from '../../platform/events.ts'

/** The plan of a company, which has its limits, was written; within the commit. `days`: to choose what rests. */
export const limitsWritten = event<{ days: number }>('company.limitsWritten')

export const companyChanged = event<Record<never, never>>('company.changed')
