import { cut } from '@balcao/contract/cut.rules.ts'
import type { UnchargedReason } from '@balcao/contract/ledger.rules.ts'
import { ProviderRefused } from '../../payments/payments.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { fromNow, RowLeaseLost } from '../../platform/work/leases.ts'
import { recordFailure } from '../autopay/autopay.actions.ts'
import { keptToken } from '../autopay/autopay.ways.queries.ts'
import { type Collectors, openCollectors } from '../collectors/collectors.client.ts'
import { billingNow, isPayable, markInvoice } from '../invoices/invoices.actions.ts'
import { holdingSubscription } from '../invoices/invoices.hold.actions.ts'
import { invoiceOrNull } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { replaceCharge, settleCharge } from './charges.actions.ts'
import { cardsDue, claimCard, keepCardLease, putOffCard } from './charges.cards.queries.ts'
import { lockCharge } from './charges.queries.ts'

const AT_ONCE = 10
/** The lease (ms) of a card that is being charged: longer than the call. */
const LEASE_MS = 180_000
/** A card that was refused is charged once a day, so often at most; then the invoice gets an ordinary page. */
const MOST_TRIES = 3
const NEXT_TRY_MS = 24 * 3_600_000
/** The provider is asked after so long (ms) while it has not decided, or was not reached. */
const ASK_MS = 3_600_000
const SILENT_MS = 10 * 60_000

const NOT_ACCEPTED: UnchargedReason = 'cardNotAccepted'

type RunTools = Pick<DueTools, 'scopes' | 'memory' | 'config' | 'outbound' | 'secrets' | 'log' | 'stopping'>

/** Charges kept cards for what is due. True when more may wait. */
export async function runCards(tools: RunTools): Promise<boolean> {
  const collectors = await openCollectors(tools)
  if (collectors.all.length === 0) return false
  const billing = await billingNow(tools)
  return workOff(tools, {
    name: 'charges.cards',
    atOnce: AT_ONCE,
    find: cardsDue,
    run: (scope, { reference }) => runCard({ ...tools, scope, collectors, billing }, reference),
  })
}

interface Running extends Pick<RunTools, 'secrets' | 'log'> {
  scope: Scope
  collectors: Collectors
  billing: InvoiceWriting
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claimCard>>>

async function runCard(running: Running, reference: string): Promise<void> {
  const { scope, log } = running
  const charge = await scope.transaction(tx => claimCard(tx, reference, LEASE_MS))
  if (!charge) return // another worker was faster
  try {
    await payByCard(running, charge)
  } catch (error) {
    const { companyId } = scope
    const { invoiceId } = charge
    if (error instanceof RowLeaseLost) return
    if (!(error instanceof ProviderRefused)) throw error
    log.warn(
      { companyId, invoiceId, reason: error.reason, problem: error.message },
      'a kept card was not charged',
    )
    await holdingSubscription(scope, tx =>
      error.isForEver
        ? refused(tx, running, charge, error)
        : putOffCard(tx, reference, { cardDueAt: fromNow(SILENT_MS) }),
    )
  }
}

/** The state of the charge is queried before: the answer of an earlier try may be lost. */
async function payByCard({ scope, collectors, billing, secrets }: Running, charge: Claimed): Promise<void> {
  const { reference, provider, chargeId } = charge
  const sealed = await holdingSubscription(scope, async tx => {
    const token = isPayable(await invoiceOrNull(tx, charge.invoiceId)) ? await keptToken(tx, provider) : null
    if (token === null) await putOffCard(tx, reference, { cardDueAt: null })
    return token
  })
  if (sealed === null || chargeId === null) return
  const autopay = collectors.of(provider)?.autopay
  if (!autopay) throw new ProviderRefused('key', 'the payment provider is not set up any more')
  let isAsked = false
  const leave = async () => {
    // it was analysed so often, and never accepted
    if (charge.cardTries >= MOST_TRIES) throw new ProviderRefused('refused', NOT_ACCEPTED)
    charge.until = await scope.transaction(tx => keepCardLease(tx, reference, charge.until, LEASE_MS))
    isAsked = true
  }
  const state = await autopay.payByCard(chargeId, secrets.open(scope.companyId, sealed), leave)
  await scope.transaction(async tx => {
    if (state) await settleCharge(tx, billing, reference, { ...state, chargeId })
    // paid, it is not open any more; else the provider decides later
    const cardTries = charge.cardTries + (isAsked && !state ? 1 : 0)
    await putOffCard(tx, reference, { cardTries, cardDueAt: fromNow(ASK_MS) })
  })
}

/** The invoice says why; after the last try it gets a page for the ordinary means of payment. */
async function refused(
  tx: Tx,
  { billing }: Running,
  claimed: Claimed,
  { message }: ProviderRefused,
): Promise<void> {
  const { reference, invoiceId } = claimed
  const invoice = await invoiceOrNull(tx, invoiceId)
  const charge = await lockCharge(tx, reference)
  if (charge?.state !== 'open' || charge.cardDueAt !== claimed.until || !isPayable(invoice)) return
  const problem = cut(message, 300)
  const cardTries = charge.cardTries + 1
  const isLast = cardTries >= MOST_TRIES
  await putOffCard(tx, reference, { cardTries, cardDueAt: isLast ? null : fromNow(NEXT_TRY_MS) })
  await markInvoice(tx, billing.payee, invoiceId, { paymentProblem: problem })
  if (isLast) await replaceCharge(tx, invoiceId)
  await recordFailure(tx, { cause: `${reference}:${cardTries}`, invoiceId, problem })
}
