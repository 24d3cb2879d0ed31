import type { CollectorName } from '@balcao/contract/collectors.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import type { ListedCharge, PaymentProvider } from '../../payments/payments.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import { sealCard } from '../autopay/autopay.actions.ts'
import { formerRefunds } from '../clients/clients.former.queries.ts'
import { type CollectorTools, openCollectors } from '../collectors/collectors.client.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { recordUnknown, settleCharge } from './charges.actions.ts'
import { adoptPayments } from './charges.adopt.actions.ts'
import { chargesListed } from './charges.queries.ts'
import { centsGivenBack, isAwaitedOrGone } from './charges.rules.ts'

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

async function askProvider(
  { scopes, config, secrets }: CollectorTools,
  provider: PaymentProvider,
  now: Date,
) {
  const billing = await billingNow({ scopes, config })
  const since = daysFrom(now.toISOString().slice(0, 10), -DAYS_ASKED)
  const platform = scopes.platform()
  const failures: unknown[] = []
  const settleAll = <One>(found: One[], settle: (one: One) => Promise<unknown>) =>
    // a failure does not keep the other pages from being read
    eachByItself(found, settle, 'to settle a charge').catch(error => failures.push(error))
  let from: string | null = null
  do {
    const { charges, next } = await provider.list(since, from)
    await adoptPayments(platform, provider.name, charges).catch(error => failures.push(error))
    const { news, former } = await platform.transaction(sql => newsOf(sql, provider.name, charges))
    await settleAll(news, async ({ ours, reported }) => {
      const state = isTakenBack(ours, reported) ? await takenBack(provider, reported) : reported
      await platform
        .inCompany(ours.companyId)
        .transaction(tx =>
          settleCharge(tx, billing, ours.reference, state, sealCard(secrets, ours.companyId, state.card)),
        )
    })
    await settleAll(former, reported => {
      const place = { provider: provider.name, zone: config.tzDefault }
      return recordUnknown(platform, billing, { ...reported, ...place })
    })
    from = next
  } while (from !== null)
  if (failures.length > 0) throw new AggregateError(failures, 'charges could not be settled')
}

/** What a page says that is not stored: of our charges, and of payments of deleted companies what was given back. */
async function newsOf(sql: Sql, name: CollectorName, page: ListedCharge[]) {
  if (page.length === 0) return { news: [], former: [] }
  const ids = page.map(({ chargeId }) => chargeId)
  const known = await chargesListed(sql, name, ids)
  const news = known.flatMap(ours => {
    const reported = page.find(({ chargeId }) => chargeId === ours.chargeId)
    return reported && isNews(ours, reported) ? [{ ours, reported }] : []
  })
  const isKnown = new Set(known.map(({ chargeId }) => chargeId))
  const unknown = page.filter(({ chargeId }) => !isKnown.has(chargeId))
  const copies = await formerRefunds(
    sql,
    name,
    unknown.map(({ chargeId }) => chargeId),
  )
  const former = copies.flatMap(({ providerId, refunded }) => {
    const reported = unknown.find(({ chargeId }) => chargeId === providerId)
    return reported && (centsGivenBack(reported) ?? 0) > refunded ? [reported] : []
  })
  return { news, former }
}

/** Paid in cash, as the panel reported, and unpaid by now. */
const isTakenBack = ({ paid }: Listed, reported: ListedCharge) => paid !== null && isAwaitedOrGone(reported)

/** The page may be older than the payment that is known here. */
async function takenBack(provider: PaymentProvider, reported: ListedCharge): Promise<ListedCharge> {
  const found = await provider.find(reported.chargeId)
  return { ...reported, ...found, ...(isAwaitedOrGone(found) && { status: 'UNDONE' as const }) }
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
