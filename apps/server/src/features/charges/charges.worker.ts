import { cut } from '@balcao/contract/cut.rules.ts'
import type { UnchargedReason } from '@balcao/contract/ledger.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import type { Logger } from 'pino'
import { type Charge, dayInBrazil, type PaymentProvider, ProviderRefused } from '../../payments/payments.ts'
import { databaseDate } from '../../platform/clock.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { fromNow, RowLeaseLost } from '../../platform/work/leases.ts'
import { patience, pauseAfter } from '../../platform/work/retries.ts'
import { recordFailure } from '../autopay/autopay.actions.ts'
import { type InvoiceWay, wayFor } from '../autopay/autopay.ways.queries.ts'
import { type Collectors, openCollectors } from '../collectors/collectors.client.ts'
import { customerAtProvider } from '../companies/companies.payer.queries.ts'
import { billingNow, isPayable, markInvoice } from '../invoices/invoices.actions.ts'
import { holdingSubscription } from '../invoices/invoices.hold.actions.ts'
import { type InvoiceRow, invoiceOrNull } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { settleCharge } from './charges.actions.ts'
import { beginOf, cardTime } from './charges.cards.queries.ts'
import { recordUnscheduled, wayOf } from './charges.debits.actions.ts'
import {
  CALL_MS,
  type ChargeRow,
  type ClaimedCharge,
  chargesDue,
  chargesOf,
  claimCharge,
  giveUpLeaving,
  insertCharge,
  keepCharge,
  lockCharge,
  putOffCharge,
  updateCharge,
} from './charges.queries.ts'
import { isAwaited, isOfMoney, namedAtProvider } from './charges.rules.ts'

/** How many charges one run handles. */
const AT_ONCE = 20
/** The pause (ms) after a final refusal. */
const FOR_EVER_MS = 6 * 3_600_000

type RunTools = Pick<DueTools, 'scopes' | 'memory' | 'config' | 'outbound' | 'secrets' | 'log' | 'stopping'>

interface Running {
  scope: Scope
  collectors: Collectors
  billing: InvoiceWriting
  installation: string
}

/** Creates wanted charges and cancels unwanted ones. True when more may wait. */
export async function runCharges(tools: RunTools): Promise<boolean> {
  const { scopes, config, secrets, log } = tools
  const collectors = await openCollectors(tools)
  if (collectors.all.length === 0) return false
  const billing = await billingNow(tools)
  await scopes.platform().transaction(giveUpLeaving)
  return workOff(tools, {
    name: 'charges',
    atOnce: AT_ONCE,
    find: (sql, most, passed) => chargesDue(sql, most, config, passed),
    run(scope, { reference }) {
      return runCharge({ scope, collectors, billing, installation: secrets.installation }, reference, log)
    },
  })
}

async function runCharge(running: Running, reference: string, log: Logger): Promise<void> {
  const charge = await running.scope.transaction(tx => claimCharge(tx, reference, CALL_MS))
  if (!charge) return // another worker was faster
  try {
    if (charge.state === 'wanted') await make(running, charge)
    if (charge.state === 'unwanted') await cancel(running, charge)
  } catch (error) {
    const { companyId } = running.scope
    const { invoiceId } = charge
    if (error instanceof RowLeaseLost)
      return log.warn({ companyId, invoiceId }, 'a charge took so long that another worker has it')
    if (!(error instanceof ProviderRefused)) throw error
    log.warn({ companyId, invoiceId, reason: error.reason, problem: error.message }, 'a charge has to wait')
    await putOff(running, charge, error)
  }
}

/** The answer is stored before the charge can be paid; if something else is owed by now, it is cancelled. */
async function make(running: Running, charge: ClaimedCharge): Promise<void> {
  const { scope, billing, installation } = running
  const { reference } = charge
  const wanted = await holdingSubscription(scope, async tx => {
    const found = await chargeOf(tx, charge, { installation, late: billing.late ?? null })
    // in this commit: an invoice that is owed again later gets another charge
    if (!found) await putOffCharge(tx, reference, charge.until, { state: 'over' })
    return found
  })
  if (!wanted) return
  const provider = await providerOf(running, charge)
  const way = wanted.way?.provider === provider.name ? wanted.way : null
  if (way?.notBefore && charge.value === null) return waitUntil(running, charge, way.notBefore)
  // one that has a sum may be made already
  if (charge.value === null && wanted.charge.cents < provider.leastCents)
    return leaveUncharged(running, charge, provider)
  // the whole lease from here: the call that creates the charge ends long before another worker may claim it
  const leave = async () => {
    charge.until = await scope.transaction(async tx => {
      const until = await keepCharge(tx, reference, charge.until, CALL_MS)
      await updateCharge(tx, reference, {
        ...{ value: wanted.charge.cents, authorizationId: way?.authorizationId ?? '' },
      })
      return until
    })
  }
  const made = await provider.createCharge(byWay(wanted.charge, way), leave)
  const isOurs = await holdingSubscription(scope, tx =>
    keepMade(tx, running, charge, { ...made, ...wanted, way }),
  )
  if (!isOurs) await provider.cancelCharge(made.chargeId)
}

interface Made {
  chargeId: string
  paymentLink: string
  charge: Charge
  way: InvoiceWay | null
}

/** False where it is to be cancelled, since it is not known here. */
async function keepMade(
  tx: Tx,
  { billing }: Running,
  { reference, invoiceId, ...claimed }: ClaimedCharge,
  { chargeId, paymentLink, charge: { cents }, way }: Made,
): Promise<boolean> {
  const invoice = await invoiceOrNull(tx, invoiceId)
  const current = await lockCharge(tx, reference)
  // the worker that claimed it later found the same charge, or created another
  if (current?.chargeId !== claimed.chargeId) return current?.chargeId === chargeId
  const payable = isPayable(invoice) ? invoice : null
  const now = payable && (await wayOf(tx, current, payable))
  const asksRight =
    payable !== null &&
    payable.value - payable.paidValue === cents &&
    isSameWay(now, way?.billingType === 'CREDIT_CARD', current)
  const isOpen = current.state === 'wanted' && asksRight
  await updateCharge(tx, reference, {
    ...{ chargeId, state: isOpen ? 'open' : 'unwanted', value: cents, dueAt: fromNow(0), attempts: 0 },
    ...(isOpen && now?.hasCard && { cardDueAt: cardTime(payable.dueDate) }),
  })
  if (isOpen) await markInvoice(tx, billing.payee, invoiceId, { paymentLink, paymentProblem: '' })
  else if (payable) await insertCharge(tx, invoiceId, { isOrdinary: current.isOrdinary })
  const isDebited = current.authorizationId !== ''
  if (isOpen && now === null && !isDebited && !current.isOrdinary)
    await recordUnscheduled(tx, billing.payee, { reference, invoiceId })
  return true
}

/**
 * The company may have chosen another meanwhile, also since an earlier call whose answer was lost: that asked for what the charge
 * holds. A debit that was ordered in time is one after the time to order it, too.
 */
function isSameWay(now: InvoiceWay | null, wasByCard: boolean, { authorizationId }: ChargeRow): boolean {
  const isByCard = now?.billingType === 'CREDIT_CARD'
  return isByCard === wasByCard && (now === null || now.authorizationId === authorizationId)
}

/**
 * What is owed is less than the provider charges: a change of the invoice makes another charge. Where more is owed by now it is
 * charged at once.
 */
const leaveUncharged = (
  { scope, billing }: Running,
  { reference, invoiceId, until }: ClaimedCharge,
  { leastCents }: PaymentProvider,
) =>
  holdingSubscription(scope, async tx => {
    const invoice = await invoiceOrNull(tx, invoiceId)
    const payable = isPayable(invoice) ? invoice : null
    if (payable && payable.value - payable.paidValue >= leastCents)
      return void (await putOffCharge(tx, reference, until, { dueAt: fromNow(0), provider: '' }))
    if (!(await putOffCharge(tx, reference, until, { state: 'over' }))) return
    const paymentProblem: UnchargedReason = 'belowLeast'
    if (payable) await markInvoice(tx, billing.payee, invoiceId, { paymentProblem })
  })

/** Committed before the provider is called: after a lost answer the same one is called again, whichever is chosen by then. */
async function providerOf({ scope, collectors }: Running, charge: ClaimedCharge): Promise<PaymentProvider> {
  const provider = charge.provider === '' ? collectors.current : collectors.of(charge.provider)
  if (!provider) throw new ProviderRefused('key', 'no payment provider is set up')
  const { name } = provider
  if (charge.provider === '')
    await scope.transaction(async tx => {
      charge.until = await keepCharge(tx, charge.reference, charge.until, CALL_MS)
      await updateCharge(tx, charge.reference, { provider: name })
    })
  return provider
}

/**
 * The charge for the provider; null where there is nothing to pay any more. After a lost answer it is the same as before, so that
 * what was made is found; where another sum is owed by now it is cancelled then.
 */
async function chargeOf(
  tx: Tx,
  { invoiceId, reference, value, isOrdinary }: ChargeRow,
  { installation, late }: { installation: string; late: Charge['late'] },
): Promise<{ charge: Charge; way: InvoiceWay | null } | null> {
  const invoice = await invoiceOrNull(tx, invoiceId)
  if (!isPayable(invoice)) return null
  const cents = value ?? invoice.value - invoice.paidValue
  const charge = {
    reference: namedAtProvider(installation, reference),
    customer: await customerAtProvider(tx, installation),
    cents,
    billingType: invoice.billingType,
    dueDate: payableDay(invoice),
    description: `${brl(cents)}: ${invoice.description || `${invoice.startInvoicePeriod} a ${invoice.endInvoicePeriod}`}`,
    late,
  }
  return { charge, way: isOrdinary ? null : await wayFor(tx, invoice, dayInBrazil(databaseDate())) }
}

/** A charge that is paid by itself can be paid before on its page, by the same means. */
const byWay = (charge: Charge, way: InvoiceWay | null): Charge =>
  way ? { ...charge, billingType: way.billingType, authorizationId: way.authorizationId } : charge

/** A bank takes the order of a debit some days before. */
const waitUntil = ({ scope }: Running, { reference, until }: ClaimedCharge, day: string) =>
  scope.transaction(async tx => {
    await putOffCharge(tx, reference, until, { dueAt: beginOf(day), attempts: 0, provider: '' })
  })

function payableDay({ dueDate }: InvoiceRow): string {
  const today = dayInBrazil(databaseDate())
  return dueDate < today ? today : dueDate
}

async function cancel(running: Running, charge: ClaimedCharge): Promise<void> {
  const { scope, billing } = running
  const { reference, invoiceId } = charge
  await cancelThere(running, charge)
  await holdingSubscription(scope, async tx => {
    const invoice = await invoiceOrNull(tx, invoiceId)
    // it was paid meanwhile
    if ((await lockCharge(tx, reference))?.state !== 'unwanted') return
    await updateCharge(tx, reference, { state: 'over' })
    // the address may be that of the next one
    const { current } = await chargesOf(tx, invoiceId)
    if (invoice && current?.state !== 'open')
      await markInvoice(tx, billing.payee, invoiceId, { paymentLink: '' })
  })
}

/** Cancels it at the provider, also one that may have been made by a call whose answer was lost. */
async function cancelThere(running: Running, charge: ClaimedCharge): Promise<void> {
  const { reference, value } = charge
  if (charge.chargeId === null && value === null) return
  const provider = await providerOf(running, charge)
  const made = charge.chargeId ?? (await provider.chargeOf(namedAtProvider(running.installation, reference)))
  if (made === null) return
  // stored first: if it was paid, the nightly query finds its payment
  if (charge.chargeId === null)
    await running.scope.transaction(tx => updateCharge(tx, reference, { chargeId: made }))
  await provider.cancelCharge(made).catch(async error => {
    if (!(error instanceof ProviderRefused && error.reason === 'refused')) throw error
    const state = await provider.find(made)
    // a card that is being analysed: asked again until that is decided
    if (isAwaited(state)) throw new ProviderRefused('busy', error.message)
    if (!isOfMoney(state)) throw error
    await running.scope.transaction(tx =>
      settleCharge(tx, running.billing, reference, { ...state, chargeId: made }),
    )
  })
}

/** A final refusal is shown at the invoice and retried seldom: a document may be corrected. */
const putOff = ({ scope, billing }: Running, claimed: ClaimedCharge, refused: ProviderRefused) =>
  holdingSubscription(scope, async tx => {
    const { reference, invoiceId } = claimed
    const invoice = await invoiceOrNull(tx, invoiceId)
    const charge = await lockCharge(tx, reference)
    if (!charge) return
    if (charge.state === 'unwanted' && refused.isForEver)
      return void (await updateCharge(tx, reference, { state: 'over' }))
    const tried = { attempts: charge.attempts, counted: 0 }
    const pause = refused.isForEver ? FOR_EVER_MS : pauseAfter(patience.charge, 'network', tried)!
    const isFree = charge.state === 'wanted' && charge.chargeId === null && isUnmade(claimed, charge, refused)
    if (isFree && refused.isForEver && (await becomesOrdinary(tx, charge, claimed.until)))
      return void (await recordFailure(tx, {
        ...{ cause: `${reference}:ordinary`, invoiceId },
        problem: cut(refused.message, 300),
      }))
    const values = { dueAt: fromNow(pause), ...(isFree && { provider: '' as const, value: null }) }
    // a change requested meanwhile is due at its own time
    if (!(await putOffCharge(tx, reference, claimed.until, values))) return
    if (invoice && charge.state === 'wanted' && refused.isForEver)
      await markInvoice(tx, billing.payee, invoiceId, { paymentProblem: cut(refused.message, 300) })
  })

/** Whether the provider certainly made nothing, now or before: the next attempt may be at another one. */
const isUnmade = (claimed: ChargeRow, { value }: ChargeRow, { isForEver, reason }: ProviderRefused) =>
  claimed.value === null && (value === null || isForEver || reason === 'key' || reason === 'busy')

/** What was refused with an authorization may be charged without. */
async function becomesOrdinary(tx: Tx, charge: ChargeRow, until: string): Promise<boolean> {
  const invoice = await invoiceOrNull(tx, charge.invoiceId)
  const way = invoice && (await wayOf(tx, charge, invoice))
  if (!way?.authorizationId) return false
  const values = { isOrdinary: true, provider: '' as const, value: null, dueAt: fromNow(0), attempts: 0 }
  return putOffCharge(tx, charge.reference, until, values)
}
