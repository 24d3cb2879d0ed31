import { type BillingStart, MOST_INVOICES_AT_ONCE } from '@balcao/contract/billing.ts'
import { DAYS_AHEAD, daysFrom, nextPeriod, priceOf } from '@balcao/contract/invoices.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { discounted } from '@balcao/contract/pricing.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { billingTerms } from '../invoices/invoices.billing.actions.ts'
import { accountOf, priceOn, readSubscription } from '../subscriptions/subscriptions.queries.ts'

/** So many periods are counted. */
const MOST = 1_000

/** What a first day of billing makes at once; nothing is written. */
export async function billingStartOf(tx: Tx, billedFrom: string, now: Date): Promise<BillingStart> {
  const subscription = await readSubscription(tx)
  const account = await accountOf(tx, now)
  const { plan, status, today } = account
  const periods: { start: string; end: string; cents: number }[] = []
  const discounts = account.discounts.map(one => ({ ...one }))
  let terms = { ...billingTerms(subscription, account), from: billedFrom }
  while (plan && status === 1 && plan.automaticInvoice && periods.length < MOST) {
    const price = (await priceOn(tx, terms.through ?? billedFrom)) ?? priceOf(plan)
    const period = price.cents > 0 ? nextPeriod(today, terms, price.months) : null
    if (!period) break
    const discount = discounted(price.cents, discounts)
    const used = discounts.find(({ id }) => id === discount?.id)
    if (used) used.left--
    periods.push({ ...period, cents: price.cents - (discount?.value ?? 0) })
    terms = { ...terms, through: period.end, anchor: period.anchor }
    if (daysFrom(period.end, 1 - DAYS_AHEAD) > today) break
  }
  const value = periods.reduce((sum, { cents }) => sum + cents, 0)
  return {
    ...{ count: periods.length, value, valueBrl: brl(value) },
    ...{ from: periods[0]?.start ?? null, until: periods.at(-1)?.end ?? null },
  }
}

/** Refuses with ERR_BAD_REQUEST a first day that makes many invoices at once, unless they are asked for by their number. */
export async function refuseManyInvoices(
  tx: Tx,
  { billedFrom, invoices }: { billedFrom: string; invoices: number | undefined },
  now: Date,
): Promise<void> {
  const { count, valueBrl } = await billingStartOf(tx, billedFrom, now)
  if (count <= MOST_INVOICES_AT_ONCE || count === invoices) return
  refuse('ERR_BAD_REQUEST', {
    ...{ field: 'invoices', message: `Este dia cria ${count} faturas, ${valueBrl}: confirme o número` },
    details: { count },
  })
}
