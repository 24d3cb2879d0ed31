import type { Content } from './content.ts'
import type { Customer } from './customer.ts'
import type { PhoneNumber } from './phone-number.ts'
import type { Price } from './sent.ts'

const DAY = 24 * 3_600_000

/** Whether the person wrote within the last 24 hours: then anything may be sent, else templates alone. */
export function windowIsOpen(number: PhoneNumber, customer: Customer | undefined): boolean {
  const wrote = customer?.wroteAt.get(number)
  return wrote !== undefined && number.state.clock.now() - wrote <= DAY
}

/** Per-message pricing: what is no template, and a utility template in an open window, costs nothing. */
export function priceOf(number: PhoneNumber, customer: Customer | undefined, { category }: Content): Price {
  const entryPoint = (customer?.freeUntil.get(number) ?? 0) > number.state.clock.now()
  const model = 'PMP' as const
  if (entryPoint)
    return {
      billable: false,
      pricing_model: model,
      category: 'referral_conversion',
      type: 'free_entry_point',
    }
  const name = category?.toLowerCase() ?? 'service'
  const free = name === 'service' || (name === 'utility' && windowIsOpen(number, customer))
  return {
    billable: !free,
    pricing_model: model,
    category: name,
    type: free ? 'free_customer_service' : 'regular',
  }
}
