import { event } from '../../platform/events.ts'

/** The sessions of a user ended with the hours to log in. */
export const hoursEnded = event<{ userId: number }>('auth.hoursEnded')
