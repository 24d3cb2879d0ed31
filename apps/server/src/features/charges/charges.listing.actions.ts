import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import type { ListedCharge, PaymentProvider } from '../../payments/payments.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import { type CollectorTools, openCollectors } from '../collectors/collectors.client.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { settleCharge } from './charges.actions.ts'
import { chargesListed } from './charges.queries.ts'
import { isUnpaid } from './charges.rules.ts'

/**
 * Days for which the provider is asked about a charge. A card’s money comes after some weeks, and may be disputed for 120
 * days (chargeback rules of Visa and Mastercard).
 */
const DAYS_ASKED = 180

type Listed = Awaited<ReturnType<typeof chargesListed>>[number]

/**
 * Queries each provider, also one that was chosen before, page by page for the state of all its charges: an event may be lost.
 * Charges whose state is stored already are skipped.
 */
export async function askForCharges(tools: CollectorTools, now: Date): Promise<void> {
  const { all } = await openCollectors(tools)
  await eachByItself(all, provider => askProvider(tools, provider, now), 'to query a payment provider')
}

async function askProvider({ scopes, config }: CollectorTools, provider: PaymentProvider, now: Date) {
  const billing = await billingNow({ scopes, config })
  const since = daysFrom(now.toISOString().slice(0, 10), -DAYS_ASKED)
  const platform = scopes.platform()
  const failures: unknown[] = []
  let from: string | null = null
  do {
    const page: Awaited<ReturnType<PaymentProvider['list']>> = await provider.list(since, from)
    const ids = page.charges.map(({ chargeId }) => chargeId)
    const known =
      ids.length > 0 ? await platform.transaction(sql => chargesListed(sql, provider.name, ids)) : []
    const news = known.flatMap(ours => {
      const reported = page.charges.find(({ chargeId }) => chargeId === ours.chargeId)
      return reported && isNews(ours, reported) ? [{ ours, reported }] : []
    })
    const settle = async ({ ours, reported }: (typeof news)[number]) => {
      const state = isTakenBack(ours, reported) ? await takenBack(provider, reported) : reported
      await platform
        .inCompany(ours.companyId)
        .transaction(tx => settleCharge(tx, billing, ours.reference, state))
    }
    // a failure does not keep the other pages from being read
    await eachByItself(news, settle, 'to settle a charge').catch(error => failures.push(error))
    from = page.next
  } while (from !== null)
  if (failures.length > 0) throw new AggregateError(failures, 'charges could not be settled')
}

/** Paid in cash, as the panel reported, and unpaid by now. */
const isTakenBack = ({ paid }: Listed, reported: ListedCharge) => paid !== null && isUnpaid(reported)

/** The page may be older than the payment that is known here. */
async function takenBack(provider: PaymentProvider, reported: ListedCharge): Promise<ListedCharge> {
  const found = await provider.find(reported.chargeId)
  return { ...reported, ...found, ...(isUnpaid(found) && { status: 'UNDONE' as const }) }
}

function isNews(ours: Listed, charge: ListedCharge): boolean {
  const { state, paid, refundedValue } = ours
  const { status, ...reported } = charge
  if (isTakenBack(ours, charge)) return true
  if (status === 'REFUNDED') return state !== 'refunded'
  const isPaid = status === 'RECEIVED' || status === 'CONFIRMED'
  if (isPaid && (reported.refundedValue ?? 0) > refundedValue) return true
  if (status === 'RECEIVED') return paid !== 'RECEIVED'
  if (status === 'CONFIRMED') return paid === null
  if (status === 'GONE' || status === 'EXPIRED') return state === 'open'
  return state === 'removed'
}
