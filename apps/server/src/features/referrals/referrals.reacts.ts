import { within } from '../../platform/events.ts'
import { customerWrote } from '../messages/messages.events.ts'
import { keepReferral } from './referrals.queries.ts'

export const reacts = [
  within(customerWrote, async (tx, { message }) => {
    if (message.referral) await keepReferral(tx, message, message.referral)
  }),
]
