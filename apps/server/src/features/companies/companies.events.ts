import { event } from '../../platform/events.ts'

/** What the people of a company are shown of it is another than before. */
export const companyChanged = event<Record<never, never>>('company.changed')
