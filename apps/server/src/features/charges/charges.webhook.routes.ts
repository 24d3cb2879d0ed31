import { CollectorName } from '@balcao/contract/collectors.ts'
import {
  type ChargeState,
  EventRefused,
  type PaymentEvent,
  type PaymentProvider,
  ProviderRefused,
  type RefusedDebit,
  type ReportedNews,
} from '../../payments/payments.ts'
import type { Platform } from '../../platform/app.ts'
import { type RawCall, serveRaw } from '../../platform/http/routes.ts'
import { sealCard } from '../autopay/autopay.actions.ts'
import { receiveAuthorization } from '../autopay/autopay.worker.ts'
import { webhookPath } from '../collectors/collectors.actions.ts'
import { openCollectors } from '../collectors/collectors.client.ts'
import { receiveNote } from '../fiscalNotes/fiscalNotes.worker.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { keepNews } from '../payments/payments.news.queries.ts'
import { askForRefunds } from '../payments/payments.worker.ts'
import { type ReportedCharge, recordUnknown, settleCharge } from './charges.actions.ts'
import { adoptPayments } from './charges.adopt.actions.ts'
import { refuseDebit } from './charges.debits.actions.ts'
import { chargeNamed, keepEvent } from './charges.queries.ts'
import { isAwaited, isAwaitedOrGone, isOfMoney, referenceOf } from './charges.rules.ts'

/**
 * The providers' events of charges, one address each. A provider counts only 200 as received, and may stop all events after some
 * other answers: so events of unknown charges, and repeated ones, are answered with 200, too.
 */
export const webhooks = CollectorName.options.map(name =>
  serveRaw({
    method: 'POST',
    path: webhookPath(name),
    summary: 'What a payment provider calls about a charge: 401 for a caller that does not prove its secret.',
    handle: (platform, call) => receiveCall(platform, name, call),
  }),
)

async function receiveCall(
  platform: Platform,
  name: CollectorName,
  call: RawCall,
): Promise<{ status: number }> {
  const provider = (await openCollectors(platform)).of(name)
  if (!provider) return { status: 401 }
  try {
    const report = await provider.readEvent(call)
    const { payment: event, news, noteId, authorizationId, debit } = report
    if (noteId) await receiveNote(platform.scopes.platform(), platform, { provider: name, noteId })
    if (authorizationId)
      await receiveAuthorization(platform.scopes.platform(), platform, { provider: name, authorizationId })
    if (debit) await receiveDebit(platform, provider, debit)
    if (news) await receiveNews(platform, name, news)
    if (event) await receive(platform, provider, event)
    // it may be about a refund, also of one that the provider cancelled
    if (event && isOfMoney(event))
      await askForRefunds(platform, { provider: name, providerId: event.chargeId })
    return { status: 200 }
  } catch (error) {
    if (error instanceof ProviderRefused) {
      // its state could not be queried; the provider calls again
      platform.log.warn({ reason: error.reason, problem: error.message }, 'a payment event has to wait')
      return { status: 503 }
    }
    if (!(error instanceof EventRefused)) throw error
    platform.log.warn({ reason: error.message }, 'a payment event was refused')
    return { status: error.reason === 'forged' ? 401 : 400 }
  }
}

/** Kept for a master, where it is not about a charge of somebody else. */
function receiveNews({ scopes }: Platform, name: CollectorName, news: ReportedNews): Promise<void> {
  return scopes.platform().transaction(async sql => {
    const charge = news.isOfCharge ? await chargeNamed(sql, name, news.subject, null) : null
    if (news.isOfCharge && (!charge || charge.value === news.unlessCents)) return
    await keepNews(sql, name, news)
  })
}

/**
 * Idempotent: the event and its consequences are one commit. The charge is queried: a debit is also cancelled where the charge was
 * paid otherwise or removed, and the event of that may come later. One that cannot be read now or later holds up no event of
 * payments: no letter is sent then.
 */
async function receiveDebit(
  { scopes, config, log }: Platform,
  provider: PaymentProvider,
  { eventId, chargeId, reason }: RefusedDebit,
): Promise<void> {
  const platform = scopes.platform()
  const { name } = provider
  const charge = await platform.transaction(sql => chargeNamed(sql, name, chargeId, null))
  if (!charge) return
  const state = await provider.find(chargeId).catch((error): ChargeState | null => {
    if (!(error instanceof ProviderRefused && error.isUnreadable)) throw error
    log.warn({ chargeId, problem: error.message }, 'the charge of a debit cannot be read')
    return null
  })
  if (!state || !isAwaited(state)) return
  const { companyId, invoiceId, reference } = charge
  const billing = await billingNow({ scopes, config })
  const cause = `${name}:${eventId}`
  await platform.inCompany(companyId).transaction(async tx => {
    if (await keepEvent(tx, { eventId: cause, invoiceId, kind: 'debitRefused' }))
      await refuseDebit(tx, billing, { reference, cause, reason })
  })
}

/** Idempotent: the event and its consequences are one commit. */
async function receive(
  { scopes, config, secrets }: Platform,
  provider: PaymentProvider,
  { eventId, kind, mustAsk, ...event }: PaymentEvent,
): Promise<void> {
  const platform = scopes.platform()
  const { name } = provider
  const ours = referenceOf(secrets.installation, event.reference)
  if (event.qrId) await adoptPayments(platform, name, [event])
  const charge = await platform.transaction(sql => chargeNamed(sql, name, event.chargeId, ours))
  if (!charge && ours === null) return
  const state = mustAsk ? await askedOf(provider, event.chargeId) : await withSums(provider, event)
  const billing = await billingNow({ scopes, config })
  if (!charge) return recordUnknown(platform, billing, { ...state, provider: name, zone: config.tzDefault })
  const { companyId, invoiceId, reference } = charge
  const isThere = await platform.inCompany(companyId).transaction(async tx => {
    const isNew = await keepEvent(tx, { eventId: `${name}:${eventId}`, invoiceId, kind })
    const card = sealCard(secrets, companyId, state.card)
    return isNew ? settleCharge(tx, billing, reference, state, card) : true
  })
  // its company was being deleted
  if (!isThere) await recordUnknown(platform, billing, { ...state, provider: name, zone: config.tzDefault })
}

/** The state of a charge that could be marked as paid in cash: unpaid by now, that was taken back. */
async function askedOf(provider: PaymentProvider, chargeId: string): Promise<ReportedCharge> {
  const found = await provider.find(chargeId)
  return { ...found, chargeId, ...(isAwaitedOrGone(found) && { status: 'UNDONE' as const }) }
}

/**
 * For an event of money without a sum, or of a refund without its own, the sums are queried. The status is
 * the event's, but for REFUNDED that is found: all is given back by now, and the sum of the event may be of a part only.
 */
async function withSums(provider: PaymentProvider, event: ReportedCharge): Promise<ReportedCharge> {
  const isWhole = event.value !== null && event.refundedValue !== null
  if (isWhole || !isOfMoney(event)) return event
  const found = await provider.find(event.chargeId)
  return {
    ...event,
    ...(found.status === 'REFUNDED' && { status: found.status }),
    ...{ value: event.value ?? found.value, refundedValue: event.refundedValue ?? found.refundedValue },
  }
}
