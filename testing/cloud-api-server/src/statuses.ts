import { contactOf } from './customer-news.ts'
import type { Sent, Status } from './sent.ts'

/**
 * Sends the statuses of a message to the company in order, each once. The price is included in `sent` and the first of
 * `delivered` and `read`.
 */
export function tell(sent: Sent, status: Status): void {
  if (sent.statuses.includes(status)) return
  const priced =
    status === 'sent' || (!sent.statuses.includes('delivered') && !sent.statuses.includes('read'))
  sent.statuses.push(status)
  const { number, customer } = sent
  const failed = status === 'failed'
  number.tell('messages', {
    ...(customer && !failed
      ? { contacts: [contactOf(customer, number, { withUsername: status !== 'sent' })] }
      : {}),
    statuses: [
      {
        id: sent.id,
        status,
        timestamp: `${number.state.clock.seconds()}`,
        ...recipientOf(sent, failed),
        ...(sent.callbackData === undefined ? {} : { biz_opaque_callback_data: sent.callbackData }),
        ...(priced && !failed ? { ...conversationOf(sent, status), pricing: sent.price } : {}),
        ...(failed ? { errors: [sent.failure] } : {}),
      },
    ],
  })
}

/** The recipient. A failed message to a number does not include the user id. */
function recipientOf({ customer, number, by, input }: Sent, failed: boolean) {
  const parent = customer?.parentUserId(number)
  return {
    ...(by === 'number' ? { recipient_id: customer?.number ?? input } : {}),
    ...(by === 'user id' && customer?.showsNumber ? { recipient_id: customer.number } : {}),
    ...(customer && !(failed && by === 'number') ? { recipient_user_id: customer.userId(number) } : {}),
    ...(parent && !failed ? { recipient_parent_user_id: parent } : {}),
  }
}

/** From version 24.0 on there is no conversation but in a free entry point. */
function conversationOf({ number, price, conversationId }: Sent, status: Status) {
  const version = Math.max(...[...number.account.subscribers.keys()].map(app => app.version))
  const free = price.type === 'free_entry_point'
  if (version >= 24 && !free) return {}
  const expires = number.state.clock.seconds() + (free ? 72 : 24) * 3_600
  return {
    conversation: {
      id: conversationId,
      ...(status === 'sent' ? { expiration_timestamp: `${expires}` } : {}),
      origin: { type: price.category },
    },
  }
}
