import type { ChargeState } from '../../payments/payments.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * What the provider knows a charge by. Installations that share an account are distinguished by it; the provider calls all of
 * them with the events of each.
 */
export const namedAtProvider = (installation: string, reference: string) => `${installation}:${reference}`

/** The reference of a charge of this installation; null for any other. */
export function referenceOf(installation: string, named: string): string | null {
  const start = `${installation}:`
  const reference = named.startsWith(start) ? named.slice(start.length) : ''
  return UUID.test(reference) ? reference : null
}

/** The cents of a charge that were given back by now; null where the provider does not say so. */
export const centsGivenBack = ({ status, value, refundedValue }: ChargeState): number | null =>
  status === 'REFUNDED' ? value : refundedValue

/** Whether it was paid, also where it was given back since. */
export const isOfMoney = ({ status }: Pick<ChargeState, 'status'>): boolean =>
  status === 'CONFIRMED' || status === 'RECEIVED' || status === 'REFUNDED'

/** Whether a provider waits for its payer. */
export const isAwaited = ({ status }: Pick<ChargeState, 'status'>): boolean =>
  status === 'PENDING' || status === 'OVERDUE'

/** Whether a provider waits for its payer, or it was removed there. */
export const isAwaitedOrGone = (state: Pick<ChargeState, 'status'>): boolean =>
  isAwaited(state) || state.status === 'GONE'
