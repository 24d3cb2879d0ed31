import { cut } from '@balcao/contract/cut.rules.ts'
import { isPaid } from '@balcao/contract/invoices.rules.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import type { Logger } from 'pino'
import { openAsaas } from '../../payments/asaas.ts'
import { type Charge, type PaymentProvider, ProviderRefused } from '../../payments/payments.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { fromNow, RowLeaseLost } from '../../platform/work/leases.ts'
import { patience, pauseAfter } from '../../platform/work/retries.ts'
import { markInvoice, payeeOf } from '../invoices/invoices.actions.ts'
import { type InvoiceRow, invoiceOrNull } from '../invoices/invoices.queries.ts'
import { settleCharge } from './charges.actions.ts'
import {
  type ChargeRow,
  type ClaimedCharge,
  chargesDue,
  claimCharge,
  giveUpLeaving,
  keepCharge,
  lockCharge,
  payerOf,
  putOffCharge,
  updateCharge,
} from './charges.queries.ts'

/** How many charges one run handles. */
const AT_ONCE = 20
/** The lease (ms) of a charge under way; after a crash another worker continues after this time. */
const LEASE_MS = 120_000
/** The pause (ms) after a final refusal. */
const FOR_EVER_MS = 6 * 3_600_000
/** How often (ms) an open charge is queried: an event may be lost. */
const ASKED_MS = 6 * 3_600_000

type RunTools = Pick<DueTools, 'scopes' | 'memory' | 'config' | 'outbound' | 'secrets' | 'log' | 'stopping'>

interface Running {
  scope: Scope
  provider: PaymentProvider
  payee: PixPayee | null
  installation: string
}

/** Creates wanted charges, cancels unwanted ones, and queries open ones. True when more may wait. */
export async function runCharges(tools: RunTools): Promise<boolean> {
  const { scopes, config, outbound, secrets, log } = tools
  const provider = openAsaas(config, outbound)
  if (!provider.isSetUp) return false
  await scopes.platform().transaction(giveUpLeaving)
  return workOff(tools, {
    name: 'charges',
    atOnce: AT_ONCE,
    find: chargesDue,
    run(scope, { invoiceId }) {
      const running = { scope, provider, payee: payeeOf(config), installation: secrets.installation }
      return runCharge(running, invoiceId, log)
    },
  })
}

async function runCharge(running: Running, invoiceId: number, log: Logger): Promise<void> {
  const charge = await running.scope.transaction(tx => claimCharge(tx, invoiceId, LEASE_MS))
  if (!charge) return // another worker was faster
  try {
    if (charge.state === 'wanted') await make(running, charge)
    if (charge.state === 'unwanted') await cancel(running, charge)
    if (charge.state === 'open') await query(running, charge)
  } catch (error) {
    const { companyId } = running.scope
    if (error instanceof RowLeaseLost)
      return log.warn({ companyId, invoiceId }, 'a charge took so long that another worker has it')
    if (!(error instanceof ProviderRefused)) throw error
    log.warn({ companyId, invoiceId, reason: error.reason, said: error.message }, 'a charge has to wait')
    await putOff(running, charge, error)
  }
}

/** The answer is stored before the charge can be paid; if the invoice was paid otherwise meanwhile, it is cancelled. */
async function make(running: Running, charge: ClaimedCharge): Promise<void> {
  const { scope, provider, payee, installation } = running
  const { invoiceId } = charge
  const wanted = await scope.transaction(tx => chargeOf(tx, charge, installation))
  if (!wanted) return void (await scope.transaction(tx => updateCharge(tx, invoiceId, { state: 'over' })))
  // the whole lease from here: the call that creates the charge ends long before another worker may claim it
  const leave = async () => {
    charge.until = await scope.transaction(tx => keepCharge(tx, invoiceId, charge.until, LEASE_MS))
  }
  const { chargeId, paymentLink } = await provider.createCharge(wanted, leave)
  const isOurs = await scope.transaction(async tx => {
    const invoice = await invoiceOrNull(tx, invoiceId)
    const current = await lockCharge(tx, invoiceId)
    // the worker that claimed it later found the same charge, or created another
    if (current?.chargeId !== charge.chargeId) return current?.chargeId === chargeId
    const isOpen = current.state === 'wanted' && invoice && !isPaid(invoice)
    const state = isOpen ? 'open' : 'unwanted'
    await updateCharge(tx, invoiceId, {
      ...{ chargeId, state, dueAt: fromNow(isOpen ? ASKED_MS : 0), attempts: 0 },
    })
    if (isOpen) await markInvoice(tx, payee, invoiceId, { paymentLink, paymentProblem: '' })
    return true
  })
  if (!isOurs) await provider.cancelCharge(chargeId)
}

/** The charge for the provider; null where there is nothing to pay any more. */
async function chargeOf(
  tx: Tx,
  { invoiceId, reference }: ChargeRow,
  installation: string,
): Promise<Charge | null> {
  const invoice = await invoiceOrNull(tx, invoiceId)
  if (!invoice || isPaid(invoice)) return null
  return {
    reference,
    customer: { reference: `${installation}:${tx.companyId}`, ...(await payerOf(tx)) },
    cents: invoice.value,
    billingType: invoice.billingType,
    dueDate: payableDay(invoice),
    description: `${brl(invoice.value)}: ${invoice.startInvoicePeriod} a ${invoice.endInvoicePeriod}`,
  }
}

/** No provider accepts a day that is over in its time zone (UTC−3). */
function payableDay({ dueDate }: InvoiceRow): string {
  const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10)
  return dueDate < today ? today : dueDate
}

async function cancel(
  { scope, provider, payee }: Running,
  { invoiceId, chargeId }: ChargeRow,
): Promise<void> {
  if (chargeId !== null) await provider.cancelCharge(chargeId)
  await scope.transaction(async tx => {
    const invoice = await invoiceOrNull(tx, invoiceId)
    // wanted again meanwhile: it is created anew
    if ((await lockCharge(tx, invoiceId))?.state !== 'unwanted') return
    await updateCharge(tx, invoiceId, { state: 'over' })
    if (invoice) await markInvoice(tx, payee, invoiceId, { paymentLink: '' })
  })
}

async function query(
  { scope, provider, payee }: Running,
  { invoiceId, chargeId, until }: ClaimedCharge,
): Promise<void> {
  const state = await provider.find(chargeId!)
  await scope.transaction(async tx => {
    await settleCharge(tx, payee, invoiceId, state)
    await putOffCharge(tx, invoiceId, until, { dueAt: fromNow(ASKED_MS), attempts: 0 })
  })
}

/** A final refusal is shown at the invoice and retried seldom: a document may be corrected. */
const putOff = ({ scope, payee }: Running, claimed: ClaimedCharge, refused: ProviderRefused) =>
  scope.transaction(async tx => {
    const { invoiceId } = claimed
    const invoice = await invoiceOrNull(tx, invoiceId)
    const charge = await lockCharge(tx, invoiceId)
    if (!charge) return
    if (charge.state === 'unwanted' && refused.isForEver)
      return void (await updateCharge(tx, invoiceId, { state: 'over' }))
    const tried = { attempts: charge.attempts, counted: 0 }
    const pause = refused.isForEver ? FOR_EVER_MS : pauseAfter(patience.charge, 'network', tried)!
    // a change requested meanwhile is due at its own time
    if (!(await putOffCharge(tx, invoiceId, claimed.until, { dueAt: fromNow(pause) }))) return
    if (invoice && charge.state === 'wanted' && refused.isForEver)
      await markInvoice(tx, payee, invoiceId, { paymentProblem: cut(refused.message, 300) })
  })
