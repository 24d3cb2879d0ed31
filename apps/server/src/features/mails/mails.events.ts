import { event } from '../../platform/events.ts'

/** Asked inside the transaction that writes it down: a letter left, or will never leave. */
export const mailSettled = event<{ cause: string }>('mail.settled')
