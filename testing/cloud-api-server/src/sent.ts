import type { Content } from './content.ts'
import type { Customer } from './customer.ts'
import type { LateError } from './graph-error.ts'
import type { PhoneNumber } from './phone-number.ts'

export type Status = 'sent' | 'delivered' | 'read' | 'played' | 'failed'

/** The price of a message, as in the `pricing` block. */
export interface Price {
  billable: boolean
  pricing_model: 'PMP'
  type: 'regular' | 'free_customer_service' | 'free_entry_point'
  category: string
}

/** A message that a company sent and Graph accepted. */
export interface Sent {
  id: string
  number: PhoneNumber
  /** The recipient as requested. */
  input: string
  by: 'number' | 'user id'
  /** Undefined when there is no WhatsApp account for it. */
  customer: Customer | undefined
  content: Content
  /** The message that it answers. */
  quotes: string | undefined
  /** `biz_opaque_callback_data`, which every status brings back. */
  callbackData: string | undefined
  at: number
  price: Price
  conversationId: string
  /** Statuses sent so far. */
  statuses: Status[]
  failure: LateError | undefined
}
