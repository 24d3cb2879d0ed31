import { event } from '../../platform/events.ts'

/** A user ended some of their sessions: the sockets of those are closed. */
export const sessionsEnded = event<{ userId: number }>('account.sessionsEnded')
